// property: ctl
// ctl: EG(freed == 0)
// truth: holds
// expect: proved
// why: a run may stay in its first loop, whatever it pushes there.
#include <stdlib.h>

int nondet(void);
struct node { struct node *next; };
struct node *head;
int freed;

static void push(void) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->next = head;
    head = fresh;
}

int main(void) {
    push();
    while (nondet()) {
        if (nondet())
            push();
    }
    while (head) {
        struct node *next = head->next;
        free(head);
        freed = 1;
        head = next;
    }
    return 0;
}
