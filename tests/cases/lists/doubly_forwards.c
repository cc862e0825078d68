// property: termination
// truth: holds
// expect: proved
// A doubly linked list is walked forwards.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    struct node *prev;
};

static struct node *build(int length) {
    struct node *list = NULL;
    while (length-- > 0) {
        struct node *cell = malloc(sizeof *cell);
        cell->next = list;
        cell->prev = NULL;
        if (list != NULL)
            list->prev = cell;
        list = cell;
    }
    return list;
}

int main(void) {
    for (struct node *cell = build(__VERIFIER_nondet_int()); cell != NULL; cell = cell->next)
        ;
    return 0;
}
