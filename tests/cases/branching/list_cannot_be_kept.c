// property: ctl
// ctl: AF(EG(head != 0))
// truth: fails
// expect: refuted
// why: from no state on the list is kept: building ends, each round takes a node out, and when
// none is left the list stays empty.
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
    int n = nondet();
    for (int i = 0; i < n; i++)
        push();
    for (;;) {
        if (head)
            pop();
    }
}
