// property: memsafety
// truth: fails
// expect: refuted
// If the input is 3, the block is freed twice.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    char *text = malloc(8);
    if (__VERIFIER_nondet_int() == 3) {
        free(text);
    }
    free(text);
    return 0;
}
