// property: ctl
// ctl: AG(EF(left == 0) && EF(right == 0))
// truth: holds
// expect: unknown(W040)
// why: all nodes can be moved to the right, and all to the left.
#include <stdlib.h>

int nondet(void);
struct node { struct node *next; };
struct node *left, *right;

static void build(int n) {
    for (int i = 0; i < n || i < 1; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = left;
        left = fresh;
    }
}

static void move(struct node **from, struct node **to) {
    struct node *node = *from;
    if (!node)
        return;
    *from = node->next;
    node->next = *to;
    *to = node;
}

int main(void) {
    build(nondet());
    for (;;) {
        if (nondet())
            move(&left, &right);
        else
            move(&right, &left);
    }
}
