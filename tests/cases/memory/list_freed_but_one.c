// property: memsafety
// truth: fails
// expect: refuted
// The loop stops one cell early.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

int main(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *cell = malloc(sizeof *cell);
        cell->next = list;
        list = cell;
    }
    while (list && list->next) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
