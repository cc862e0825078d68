// property: termination
// truth: fails
// expect: refuted
// The exit compares with a cell that is not in the ring.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *outside = malloc(sizeof *outside);
    struct node *start = malloc(sizeof *start);
    start->next = start;
    outside->next = start;
    struct node *cell = start;
    while (cell != outside)
        cell = cell->next;
    return 0;
}
