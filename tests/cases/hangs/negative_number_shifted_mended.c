// property: termination
// truth: holds
// expect: proved
// An unsigned number becomes zero.
#include <stdio.h>

struct code {
    int length;
    int ones;
};

static struct code measure(int number)
{
    struct code code = { 0, 0 };
    unsigned rest = (unsigned)number;
    while (rest != 0) {
        code.length = code.length < 64 ? code.length + 1 : 64;
        if (rest & 1)
            code.ones = code.ones < 64 ? code.ones + 1 : 64;
        rest >>= 1;
    }
    return code;
}

int main(void)
{
    int number;
    while (scanf("%d", &number) == 1) {
        struct code code = measure(number);
        printf("%d of %d\n", code.ones, code.length);
    }
    return 0;
}
