// property: memsafety
// truth: fails
// expect: unknown(W003)
// why: five rows of seven columns end before the element that is written
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int rows = __VERIFIER_nondet_int(), columns = __VERIFIER_nondet_int();
    if (rows < 1 || rows > 1000 || columns < 1 || columns > 1000)
        return 1;
    char *table = malloc(rows * columns);
    if (table == NULL)
        return 1;
    if (rows == 5 && columns == 7)
        table[35] = 1;
    free(table);
    return 0;
}
