// property: ctl
// ctl: AG(held == 1 -> EF(held == 0))
// truth: fails
// expect: refuted
// why: the last node points at itself, so that no walk comes to an end.
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
    push();
    head->next = head;
    while (nondet())
        push();
    held = 1;
    for (struct node *node = head; node;) {
        if (nondet())
            node = node->next;
    }
    held = 0;
    return 0;
}
