// property: termination
// truth: holds
// expect: proved
// A queue: as many cells leave as a counter allows.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *build(int length) {
    struct node *list = NULL;
    for (int i = 0; i < length; i++) {
        struct node *cell = malloc(sizeof *cell);
        cell->value = i;
        cell->next = list;
        list = cell;
    }
    return list;
}

int main(void) {
    struct node *list = build(__VERIFIER_nondet_int());
    int budget = __VERIFIER_nondet_int();
    while (list != NULL && budget > 0) {
        struct node *cell = list;
        list = list->next;
        free(cell);
        budget--;
    }
    return 0;
}
