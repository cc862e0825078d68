// property: termination
// truth: holds
// expect: proved
// No object is larger than the distances in it can tell.
#include <stdlib.h>

int main(void) {
    char *all = malloc((size_t)-1);
    if (!all) {
        return 0;
    }
    for (;;) {
    }
}
