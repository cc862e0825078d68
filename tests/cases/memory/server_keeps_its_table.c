// property: memsafety
// truth: holds
// expect: proved
// It never ends, and never loses the table: nobody reads the pointer again, but it
// is in scope, which the analysis does not know.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int *table = malloc(40);
    table[0] = 1;
    int requests = 0;
    while (1) {
        requests = __VERIFIER_nondet_int();
    }
}
