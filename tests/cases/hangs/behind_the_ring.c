// property: termination
// truth: fails
// expect: refuted
// The index never is behind the ring.
#include <stdio.h>

struct ring { int slots[16]; unsigned head; };

static int find(const struct ring *r, int want)
{
    unsigned i = r->head;
    do {
        if (r->slots[i] == want)
            return (int)i;
        i = (i + 1) & 15u;
    } while (i != r->head + 16);
    return -1;
}

int main(void)
{
    struct ring r = { { 0 }, 0 };
    int want;
    unsigned h;
    if (scanf("%u %d", &h, &want) != 2)
        return 1;
    r.head = h & 15u;
    return find(&r, want) < 0;
}
