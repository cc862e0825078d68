// property: termination
// truth: fails
// expect: refuted
// An even index is not lessened by its last bit.
#include <stdio.h>

#define SIZE 64
struct fenwick { int sums[SIZE + 1]; };

static int prefix(const struct fenwick *t, unsigned i)
{
    int sum = 0;
    while (i > 0) {
        if (i <= SIZE)
            sum += t->sums[i] & 0xff;
        i -= i & 1u;
    }
    return sum;
}

int main(void)
{
    struct fenwick t = { { 0 } };
    unsigned i;
    if (scanf("%u", &i) != 1)
        return 1;
    return prefix(&t, i);
}
