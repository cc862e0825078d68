// property: memsafety
// truth: fails
// expect: unknown(W006)
// The mean of no numbers.
#include <stdio.h>

int main(void) {
    int sum = 0, n = 0;
    printf("mean %d\n", sum / n);
    return 0;
}
