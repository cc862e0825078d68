// property: termination
// truth: holds
// expect: proved
// options: --entry thirds
// why: no string is so long that steps of three go round the largest number
#include <string.h>

size_t thirds(const char *text) {
    size_t n = strlen(text), found = 0;
    for (size_t i = 0; i < n; i += 3)
        found++;
    return found;
}
