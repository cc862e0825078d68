// property: memsafety
// truth: holds
// expect: proved
// A global still points at the block when the program ends: it is not lost.
#include <stdlib.h>

char *text;

int main(void) {
    text = malloc(8);
    return 0;
}
