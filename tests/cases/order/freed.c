// property: memsafety
// truth: fails
// expect: refuted
// If the call comes last, the argument before it is gone.
#include <stdlib.h>

static int *cell;

static int renew(void)
{
    free(cell);
    cell = malloc(sizeof(int));
    *cell = 1;
    return 1;
}

static int sum(const int *a, int b)
{
    return *a + b;
}

int main(void)
{
    cell = malloc(sizeof(int));
    *cell = 1;
    int x = sum(cell, renew());
    free(cell);
    return x;
}
