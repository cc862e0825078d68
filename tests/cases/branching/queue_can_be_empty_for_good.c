// property: ctl
// ctl: AG(EF(AG(head == 0)))
// truth: holds
// expect: proved
// why: every round may be the last one, and then the list is emptied, which ends.
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
    while (nondet()) {
        if (nondet())
            push();
        else if (head)
            pop();
    }
    while (head)
        pop();
    return 0;
}
