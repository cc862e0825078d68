// property: ctl
// ctl: AF(EG(head != 0))
// truth: holds
// expect: proved
// why: building ends with a list that is not empty, and then no node need be taken out.
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
    push();
    for (int i = 0; i < n; i++)
        push();
    for (;;) {
        if (nondet() && head)
            pop();
    }
}
