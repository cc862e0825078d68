// property: ctl
// ctl: AG(EF(head == 0) && EF(head != 0))
// truth: holds
// expect: proved
// why: jobs may be taken out until none is left, and one can be added at any time.
#include <stdlib.h>

int nondet(void);
struct node { struct node *next; };
struct node *head, *tail;

static void enqueue(void) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->next = 0;
    if (head)
        tail->next = fresh;
    else
        head = fresh;
    tail = fresh;
}

static void dequeue(void) {
    struct node *first = head;
    head = first->next;
    free(first);
}

int main(void) {
    while (nondet())
        enqueue();
    for (;;) {
        if (head && nondet())
            dequeue();
        else if (nondet())
            enqueue();
    }
}
