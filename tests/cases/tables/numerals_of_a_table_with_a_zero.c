// property: termination
// truth: fails
// expect: refuted
// One number of the table is 0: what is taken away by it never ends.
#include <stdio.h>

static const int worth[15] = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 3, 2};

int main(void) {
    int n;
    if (scanf("%d", &n) != 1) {
        return 1;
    }
    for (int i = 0; i < 15; i++) {
        while (n >= worth[i]) {
            putchar('a' + i);
            n -= worth[i];
        }
    }
    return 0;
}
