// property: memsafety
// truth: fails
// expect: refuted
// What the scope's end frees is not to be freed before.
#include <stdlib.h>

static void release(int **cell)
{
    free(*cell);
}

int main(void)
{
    int *cell __attribute__((cleanup(release))) = malloc(sizeof(int));
    free(cell);
    return 0;
}
