// property: termination
// truth: fails
// expect: unknown(W004)
// The next link is read after the cell is gone.
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
    while (list != NULL) {
        free(list);
        list = list->next;
    }
    return 0;
}
