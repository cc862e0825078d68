// property: memsafety
// truth: holds
// expect: proved
// A loop ends at the first low node, so that the next loop takes at least this one: it would lose
// a node that points at itself if it took none.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int height;
};

static void turn_low_ones(struct node *before) {
    struct node *here = before->next;
    while (here != NULL && here->height >= 10) {
        before = here;
        here = here->next;
    }
    if (here == NULL)
        return;
    struct node *last = here;
    struct node *turned = here;
    while (here != NULL && here->height < 10) {
        struct node *next = here->next;
        here->next = turned;
        turned = here;
        here = next;
    }
    last->next = here;
    before->next = turned;
}

int main(void) {
    struct node *head = malloc(sizeof *head);
    head->next = NULL;
    head->height = 10;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->height = __VERIFIER_nondet_int();
        node->next = head->next;
        head->next = node;
    }
    turn_low_ones(head);
    while (head != NULL) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
