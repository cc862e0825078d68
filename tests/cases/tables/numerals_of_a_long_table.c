// property: termination
// truth: holds
// expect: proved
// Each step takes a number of a constant table away: none of them is 0, however many there are.
#include <stdio.h>

static const int worth[] = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 3, 2, 1};

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
