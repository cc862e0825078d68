// property: memsafety
// truth: fails
// expect: refuted
// why: the block has the product as a short, and the loop as an int
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int rows = __VERIFIER_nondet_int(), columns = __VERIFIER_nondet_int();
    short cells = (short)(rows * columns);
    if (cells < 0)
        return 1;
    char *table = malloc(cells);
    if (table == NULL)
        return 1;
    for (int i = 0; i < rows * columns; i++)
        table[i] = 0;
    free(table);
    return 0;
}
