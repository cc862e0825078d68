// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry count
// The same pointer goes round a ring first, which ends at its head only, and is compared with null
// later: of the ring nothing is granted.
struct node {
    struct node *next;
    int weight;
};

struct pool {
    struct node *ring, *list;
};

int count(struct pool *pool)
{
    int n = 0;
    struct node *at = pool->ring;
    if (!at)
        return 0;
    for (;; at = at->next) {
        n += at->weight & 1;
        if (at->next->weight < 0)
            break;
    }
    for (at = pool->list; at; at = at->next)
        n += at->weight & 2;
    return n;
}
