// property: ctl
// ctl: AG(EF(head == 0))
// truth: holds
// expect: unknown(W040)
// why: the list is finite whenever it is looked at, and nothing but `pop` need be chosen.
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
