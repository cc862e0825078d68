// property: reach
// truth: fails
// expect: unknown(W012)
// Behind the end of one block may be the start of the other.
#include <stdlib.h>

extern void reach_error(void);
extern unsigned some(void);

int main(void) {
    char *one = malloc(8);
    char *other = malloc(12);
    unsigned i = some(), j = some();
    if (one && other && i <= 8 && j < 12 && one + i == other + j)
        reach_error();
    return 0;
}
