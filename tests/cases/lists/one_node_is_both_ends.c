// property: reach
// truth: fails
// expect: refuted
// The list may have a single node.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void *);
extern void reach_error(void);

struct node {
    struct node *next, *prev;
};

int main(void) {
    struct node *first = malloc(sizeof *first), *last = first;
    first->next = first->prev = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->next = first;
        node->prev = 0;
        first->prev = node;
        first = node;
    }
    if (first == last)
        reach_error();
    return 0;
}
