// property: ctl
// ctl: AG(closed == 1 -> AF(AG(head == 0)))
// truth: holds
// expect: proved
// why: taking nodes out ends, since the list is finite and nobody adds to it.
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
