// property: ctl
// ctl: AG(AF(cursor == anchor))
// truth: fails
// expect: refuted
// why: a run may stay at another node, if there is one.
#include <stdlib.h>

int nondet(void);
struct node { struct node *next; };
struct node *anchor, *cursor;

static void build(int n) {
    anchor = malloc(sizeof *anchor);
    anchor->next = anchor;
    for (int i = 0; i < n; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = anchor->next;
        anchor->next = fresh;
    }
    cursor = anchor;
}

int main(void) {
    build(nondet());
    for (;;) {
        if (nondet())
            cursor = cursor->next;
    }
}
