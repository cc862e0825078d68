// property: memsafety
// truth: fails
// expect: unknown(W001)
// options: --entry mark
// A structure with numbers is written where one with links lies.
struct ring {
    struct ring *prev, *next;
};

struct pair {
    long first, second;
};

void mark(struct ring *ring, int n)
{
    struct pair *pair = (struct pair *)ring;
    if (!ring)
        return;
    pair->second = 7;
    while (n-- > 0) {
        if (!ring)
            return;
        ring = ring->next;
    }
}
