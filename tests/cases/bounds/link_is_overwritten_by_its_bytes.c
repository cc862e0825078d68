// property: memsafety
// truth: fails
// expect: unknown(W002)
// options: --entry mark
// The bytes of links are filled by a pointer to characters.
#include <string.h>

struct ring {
    struct ring *prev, *next;
};

void mark(struct ring *ring, int n)
{
    char *bytes = (char *)ring;
    if (!ring)
        return;
    memset(bytes, 7, sizeof *ring);
    while (n-- > 0) {
        if (!ring)
            return;
        ring = ring->next;
    }
}
