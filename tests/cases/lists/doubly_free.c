// property: termination
// truth: holds
// expect: proved
// A doubly linked list is freed from the front.
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
    struct node *list = build(__VERIFIER_nondet_int());
    while (list != NULL) {
        struct node *cell = list;
        list = list->next;
        if (list != NULL)
            list->prev = NULL;
        free(cell);
    }
    return 0;
}
