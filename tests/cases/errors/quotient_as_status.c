// property: memsafety
// truth: fails
// expect: unknown(W006)
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int parts = __VERIFIER_nondet_int();
    exit(60 % parts);
}
