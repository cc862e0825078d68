// property: ctl
// ctl: AG(head == 0 -> EF(head != 0))
// truth: fails
// expect: refuted
// why: behind the first loop nothing is pushed, and the second one leaves an empty list.
#include <stdlib.h>

int nondet(void);
struct node { struct node *next; };
struct node *head;
int closed;

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
    while (nondet())
        push();
    closed = 1;
    while (head)
        pop();
    for (;;)
        ;
}
