// property: termination
// truth: holds
// expect: proved
//
// What is freed is the start of the block in the runs that C defines, so x is 0.

#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    char *p = malloc(8);
    if (x)
        p++;
    free(p);
    while (x)
        ;
    return 0;
}
