// property: termination
// truth: holds
// expect: proved

// A list of numbers that a zero ends.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), count = 0;
    if (n < 1) n = 1;
    int *numbers = malloc(n * sizeof *numbers);
    for (int i = 0; i < n - 1; i++) numbers[i] = __VERIFIER_nondet_int();
    numbers[n - 1] = 0;
    for (int i = 0; numbers[i] != 0; i++) count++;
    free(numbers);
    return count;
}
