// property: termination
// truth: fails
// expect: refuted
// Each step adds the cell that the next step takes.
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
        struct node *cell = malloc(sizeof *cell);
        cell->value = 0;
        cell->next = list->next;
        free(list);
        list = cell;
    }
    return 0;
}
