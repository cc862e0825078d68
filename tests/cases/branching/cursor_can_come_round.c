// property: ctl
// ctl: AG(EF(cursor == anchor))
// truth: holds
// expect: unknown(W040)
// why: going on leads round the ring, from wherever the cursor is. While the ring is built the
// cursor is a null pointer, and building ends.
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
