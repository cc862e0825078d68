// property: memsafety
// truth: fails
// expect: unknown(W036)
// options: --entry load
// The bytes of links are copied from anywhere.
#include <string.h>

struct ring {
    struct ring *prev, *next;
};

void load(struct ring *ring, const char *from)
{
    char *bytes = (char *)ring;
    if (!ring || !from)
        return;
    memmove(bytes, from, sizeof *ring);
    if (ring->next)
        ring->next->prev = 0;
}
