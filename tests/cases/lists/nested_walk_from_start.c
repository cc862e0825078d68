// property: termination
// truth: holds
// expect: proved
// For each cell, a walk over the whole list.
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
    int pairs = 0;
    for (struct node *a = list; a != NULL; a = a->next)
        for (struct node *b = list; b != NULL; b = b->next)
            pairs++;
    return pairs;
}
