// property: termination
// truth: fails
// expect: refuted
//
// The second free is an error in one case only, and the other one never ends.

#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int *p = malloc(sizeof *p);
    free(p);
    if (x == 1)
        free(p);
    while (x != 1)
        ;
    return 0;
}
