// property: memsafety
// truth: holds
// expect: unknown(W010)
// Only an overflow ends the loop, and that has no defined result; with arithmetic
// that wraps around the block would be lost.
#include <stdlib.h>

int main(void) {
    char *text = malloc(8);
    for (int i = 1; i != 0; i++) {
        text[0] = 'x';
    }
    return 0;
}
