// property: memsafety
// truth: holds
// expect: proved
#include <stdlib.h>

int main(void) {
    char *one = malloc((size_t)1 << 63), *other = malloc((size_t)1 << 63);
    if (one && other) {
        char *none = 0;
        *none = 1;
    }
    free(one);
    free(other);
    return 0;
}
