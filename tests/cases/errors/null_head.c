// property: termination
// truth: holds
// expect: proved
// An empty list has no first cell to look at; each run that C defines ends.
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
    return list->value;
}
