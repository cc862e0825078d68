// property: termination
// truth: holds
// expect: proved
// A size that is read is too large for all memory: there is no run with such a block, as is
// known behind the call.
#include <stdlib.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void) {
    unsigned long size = __VERIFIER_nondet_ulong();
    if (size <= (unsigned long)-1 / 2) {
        return 0;
    }
    char *block = malloc(size);
    if (!block) {
        return 0;
    }
    for (;;) {
    }
}
