// property: memsafety
// truth: holds
// expect: unknown(W003)
// why: one row or three columns are all that is left of the sizes where the loops begin
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
    if (rows != 1)
        table[columns] = 0;
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++)
            table[row * columns + column] = 0;
    free(table);
    return 0;
}
