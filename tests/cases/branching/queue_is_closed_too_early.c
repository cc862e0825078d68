// property: ctl
// ctl: AG(closed == 1 -> AG(head == 0))
// truth: fails
// expect: refuted
// why: where `closed` is set, nodes may still be in the list.
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
    return 0;
}
