// property: termination
// truth: fails
// expect: unknown(W003)
// The nodes are alike, but one of them is too small.
extern void *malloc(unsigned long);

struct node {
    struct node *next;
    long mark;
};

int main(void) {
    struct node *ring[16];
    for (int i = 0; i < 16; i++)
        ring[i] = malloc(i == 12 ? 8 : sizeof(struct node));
    for (int i = 0; i < 16; i++)
        ring[i]->next = ring[(i + 1) % 16];
    struct node *p = ring[0];
    while (1) {
        p->mark = 1;
        p = p->next;
    }
    return 0;
}
