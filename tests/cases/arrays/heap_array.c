// property: termination
// truth: holds
// expect: proved
// An array of a size that is an input.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n <= 0 || n > 1000)
        return 0;
    int *table = malloc(n * sizeof *table);
    for (int i = 0; i < n; i++)
        table[i] = 0;
    free(table);
    return 0;
}
