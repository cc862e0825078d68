// property: memsafety
// truth: fails
// expect: refuted
// why: 2^62 elements of four bytes are none: the multiple of a product wraps around, not the product
#include <stdlib.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void) {
    size_t rows = __VERIFIER_nondet_ulong(), columns = __VERIFIER_nondet_ulong();
    int *table = malloc(rows * columns * sizeof(int));
    if (table == NULL)
        return 1;
    for (size_t i = 0; i < rows * columns; i++)
        table[i] = 0;
    free(table);
    return 0;
}
