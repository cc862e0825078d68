// property: memsafety
// truth: fails
// expect: unknown(W002)
// options: --entry cut
// A link gets null by its address, as that of a pointer to characters.
struct ring {
    struct ring *prev, *next;
};

void cut(struct ring *ring, int n)
{
    char **link = (char **)&ring->next;
    *link = 0;
    while (n-- > 0)
        ring = ring->next->next;
    ring->prev = ring;
}
