// property: termination
// truth: holds
// expect: unknown(W030)
// A size that is read is not seen to be too large: nothing is shown. But no run is: there
// is none with such a block.
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
