// property: termination
// truth: fails
// expect: refuted
// An input may restart the walk again and again.
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
    struct node *cell = list;
    while (cell != NULL)
        cell = __VERIFIER_nondet_int() ? list : cell->next;
    return 0;
}
