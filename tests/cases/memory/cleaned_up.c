// property: memcleanup
// truth: holds
// expect: proved
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

char *text;

int main(void) {
    text = malloc(8);
    while (__VERIFIER_nondet_int()) {
        free(text);
        text = malloc(16);
    }
    free(text);
    return 0;
}
