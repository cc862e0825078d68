// property: memsafety
// truth: holds
// expect: proved
// why: a product of three numbers that have no bounds is formed twice
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int wide = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
    int deep = __VERIFIER_nondet_int();
    char *space = malloc(wide * high * deep);
    if (space == NULL)
        return 1;
    for (int i = 0; i < wide * high * deep; i++) {
        space[i] = 1;
    }
    free(space);
    return 0;
}
