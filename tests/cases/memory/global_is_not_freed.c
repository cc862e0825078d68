// property: memcleanup
// truth: fails
// expect: refuted
// A global still points at the block when the program ends.
#include <stdlib.h>

char *text;

int main(void) {
    text = malloc(8);
    return 0;
}
