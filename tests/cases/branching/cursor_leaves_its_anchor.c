// property: ctl
// ctl: EF(AG(cursor != anchor))
// truth: holds
// expect: proved
// why: the list ends in a ring of one node, and its first node is another one.
#include <stdlib.h>

int nondet(void);
struct node { struct node *next; };
struct node *anchor, *cursor;

static void build(int n) {
    struct node *last = malloc(sizeof *last);
    anchor = last;
    for (int i = 0; i < n || i < 1; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = anchor;
        anchor = fresh;
    }
    last->next = last;
    cursor = anchor;
}

int main(void) {
    build(nondet());
    for (;;) {
        if (nondet())
            cursor = cursor->next;
    }
}
