// property: memsafety
// truth: fails
// expect: unknown(W033)
// options: --entry walk
// What is said of the links of one structure is said of no other one, though it is alike.
struct ring {
    struct ring *prev, *next;
};

struct list {
    struct list *before, *behind;
};

void walk(struct list *list, int n)
{
    struct ring *ring = (struct ring *)list;
    while (n-- > 0)
        ring = ring->next->prev;
    ring->prev = ring;
}
