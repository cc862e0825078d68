// property: termination
// truth: fails
// expect: refuted
// A circular list has no null link to wait for.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *start = malloc(sizeof *start);
    start->next = start;
    for (int i = __VERIFIER_nondet_int(); i > 0; i--) {
        struct node *cell = malloc(sizeof *cell);
        cell->next = start->next;
        start->next = cell;
    }
    for (struct node *cell = start; cell != NULL; cell = cell->next)
        ;
    return 0;
}
