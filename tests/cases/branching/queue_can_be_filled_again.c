// property: ctl
// ctl: AG(head == 0 -> EF(head != 0))
// truth: holds
// expect: proved
// why: a round without `pop` is always possible.
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
