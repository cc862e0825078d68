// property: termination
// truth: holds
// expect: proved
// The list grows at its end, through a tail pointer.
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
    while (__VERIFIER_nondet_int() % 7 != 0 && last->value < 100) {
        struct node *cell = malloc(sizeof *cell);
        cell->value = last->value + 1;
        cell->next = NULL;
        last->next = cell;
        last = cell;
    }
    while (first != NULL)
        first = first->next;
    return 0;
}
