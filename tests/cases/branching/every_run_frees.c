// property: ctl
// ctl: EG(freed == 0)
// truth: fails
// expect: refuted
// why: building ends, and at least one node is there to be freed.
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
    int n = nondet();
    push();
    for (int i = 0; i < n; i++)
        push();
    while (head) {
        struct node *next = head->next;
        free(head);
        freed = 1;
        head = next;
    }
    return 0;
}
