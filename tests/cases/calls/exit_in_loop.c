// property: termination
// truth: holds
// expect: proved
// The endless loop is left by exit.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int ticks = 0;
    for (;;) {
        ticks++;
        if (ticks > 100)
            exit(0);
    }
}
