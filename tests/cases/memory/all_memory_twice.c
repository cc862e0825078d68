// property: termination
// truth: holds
// expect: unknown(W030)
// Each block may be there, but not all at once.
#include <stdlib.h>

int main(void) {
    size_t third = (size_t)6 << 60;
    char *blocks[3];
    for (int i = 0; i < 3; i++) {
        blocks[i] = malloc(third);
        if (!blocks[i]) {
            return 0;
        }
    }
    for (;;) {
    }
}
