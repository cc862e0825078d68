// property: memsafety
// truth: holds
// expect: proved
// A pointer behind the end still leads to the block while the program runs.
#include <stdlib.h>

int main(void) {
    char *at = malloc(4);
    at += 4;
    at -= 4;
    free(at);
    return 0;
}
