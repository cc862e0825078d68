// property: memsafety
// truth: holds
// expect: proved
// why: where there are three columns, the block of rows * columns bytes has three times as many as rows
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int rows = __VERIFIER_nondet_int(), columns = __VERIFIER_nondet_int();
    if (rows < 1 || rows > 1000 || columns < 1 || columns > 1000)
        return 1;
    char *table = malloc(rows * columns);
    if (table == NULL)
        return 1;
    if (columns == 3) {
        for (int row = 0; row < rows; row++)
            table[3 * row + 2] = 1;
    }
    if (rows == 5 && columns == 7)
        table[34] = 1;
    free(table);
    return 0;
}
