// property: memsafety
// truth: holds
// expect: proved
// why: zeros are remembered, so the loops start anew from their second round: their indices stay positive
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int rows = __VERIFIER_nondet_int(), columns = __VERIFIER_nondet_int();
    if (rows < 1 || rows > 1000 || columns < 1 || columns > 1000)
        return 1;
    int *matrix = malloc(rows * columns * sizeof(int));
    if (matrix == NULL)
        return 1;
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++)
            matrix[row * columns + column] = 0;
    for (int row = 0; row < rows && row < columns; row++)
        matrix[row * columns + row] = 1;
    free(matrix);
    return 0;
}
