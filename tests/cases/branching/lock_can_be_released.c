// property: ctl
// ctl: AG(held == 1 -> EF(held == 0))
// truth: holds
// expect: proved
// why: the walk over the list may go on in every round, and ends then.
#include <stdlib.h>

int nondet(void);
struct node { struct node *next; };
struct node *head;
int held;

static void push(void) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->next = head;
    head = fresh;
}

int main(void) {
    while (nondet())
        push();
    for (;;) {
        held = 1;
        for (struct node *node = head; node;) {
            if (nondet())
                node = node->next;
        }
        held = 0;
    }
}
