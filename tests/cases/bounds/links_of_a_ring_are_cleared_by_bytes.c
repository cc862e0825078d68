// property: memsafety
// truth: fails
// expect: unknown(W002)
// options: --entry walk
// A ring loses its links, by a pointer to characters.
#include <string.h>

struct ring {
    struct ring *prev, *next;
};

void walk(struct ring *ring, int n)
{
    char *bytes = (char *)ring;
    memset(bytes, 0, sizeof *ring);
    while (n-- > 0)
        ring = ring->next->next;
    ring->prev = ring;
}
