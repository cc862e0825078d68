// property: memsafety
// truth: fails
// expect: refuted
// why: the last row has one column too many

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct board {
    int size;
    double *fields;
};

static struct board *board_of(int size)
{
    struct board *board = malloc(sizeof *board);
    if (board == NULL)
        return NULL;
    board->size = size;
    board->fields = calloc((size_t)size * (size_t)size, sizeof(double));
    if (board->fields == NULL) {
        free(board);
        return NULL;
    }
    return board;
}

int main(void)
{
    int size = __VERIFIER_nondet_int() ? __VERIFIER_nondet_int() : 19;
    if (size < 1 || size > 50)
        return 1;
    struct board *board = board_of(size);
    if (board == NULL)
        return 1;
    for (int row = 0; row < board->size; row++)
        for (int column = 0; column <= board->size; column++)
            board->fields[row * board->size + column] = row - column;
    free(board->fields);
    free(board);
    return 0;
}
