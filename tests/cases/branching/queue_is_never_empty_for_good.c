// property: ctl
// ctl: AG(EF(AG(head == 0)))
// truth: fails
// expect: refuted
// why: whatever happened, a node can be pushed next.
#include <stdlib.h>

int nondet(void);
struct node { struct node *next; };
struct node *head;

static void push(void) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->next = head;
    head = fresh;
}

static void pop(void) {
    struct node *first = head;
    head = first->next;
    free(first);
}

int main(void) {
    for (;;) {
        if (nondet())
            push();
        else if (head)
            pop();
    }
}
