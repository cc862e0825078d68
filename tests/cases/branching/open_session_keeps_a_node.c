// property: ctl
// ctl: AG(open == 1 -> A[head != 0 W open == 0])
// truth: holds
// expect: proved
// why: while the session is open the last node is never taken out.
#include <stdlib.h>

int nondet(void);
struct node { struct node *next; };
struct node *head;
int open;

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
    push();
    open = 1;
    while (nondet()) {
        if (nondet())
            push();
        else if (head->next)
            pop();
    }
    open = 0;
    while (head)
        pop();
    return 0;
}
