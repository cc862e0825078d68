// property: ctl
// ctl: AG(closed == 1 -> AG(head == 0))
// truth: holds
// expect: proved
// why: `closed` is set when the list is empty, and then only what is there is taken out.
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
    while (head)
        pop();
    closed = 1;
    for (;;) {
        if (head)
            pop();
    }
}
