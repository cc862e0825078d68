// property: memsafety
// truth: holds
// expect: proved
// The variable's memory is given back however its scope is left.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void release(int **cell)
{
    free(*cell);
}

static int use(int n)
{
    __attribute__((cleanup(release))) int *cell = malloc(sizeof(int));
    *cell = n;
    if (n > 10)
        return *cell;
    for (int i = 0; i < n; i++) {
        int *inner __attribute__((cleanup(release))) = malloc(sizeof(int));
        *inner = i;
        if (*inner == 5)
            break;
    }
    return *cell;
}

int main(void)
{
    return use(__VERIFIER_nondet_int());
}
