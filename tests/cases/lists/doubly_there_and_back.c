// property: termination
// truth: holds
// expect: proved
// A doubly linked list is walked to its end and back.
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
    struct node *cell = build(__VERIFIER_nondet_int());
    if (cell == NULL)
        return 0;
    while (cell->next != NULL)
        cell = cell->next;
    while (cell != NULL)
        cell = cell->prev;
    return 0;
}
