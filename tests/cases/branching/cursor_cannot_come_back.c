// property: ctl
// ctl: AG(EF(cursor == anchor))
// truth: fails
// expect: refuted
// why: no node points at the first one.
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
