// property: termination
// truth: holds
// expect: proved
// Once around a circular list, with do-while.
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
    struct node *cell = start;
    do {
        cell = cell->next;
    } while (cell != start);
    return 0;
}
