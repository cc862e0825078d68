// property: termination
// truth: holds
// expect: proved
// A counted loop appends at the tail; then the list is walked.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *first = malloc(sizeof *first);
    struct node *last = first;
    first->next = NULL;
    for (int i = __VERIFIER_nondet_int(); i > 0; i--) {
        struct node *cell = malloc(sizeof *cell);
        cell->next = NULL;
        last->next = cell;
        last = cell;
    }
    while (first != NULL)
        first = first->next;
    return 0;
}
