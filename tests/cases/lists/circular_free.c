// property: termination
// truth: holds
// expect: proved
// A circular list is cut open and freed.
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
    while (start->next != start) {
        struct node *cell = start->next;
        start->next = cell->next;
        free(cell);
    }
    free(start);
    return 0;
}
