// property: reach
// truth: holds
// expect: proved
// Whichever block lies first, no place in one of them is a place in the other.
#include <stdlib.h>

extern void reach_error(void);
extern unsigned some(void);

int main(void) {
    char *one = malloc(8);
    char *other = malloc(12);
    unsigned i = some(), j = some();
    if (one && other && i < 8 && j < 12 && one + i == other + j)
        reach_error();
    return 0;
}
