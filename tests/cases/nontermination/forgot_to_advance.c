// property: termination
// truth: fails
// expect: refuted
// The step to the next cell is missing on one path.
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
    struct node *cell = build(__VERIFIER_nondet_int());
    while (cell != NULL) {
        if (cell->value % 2 == 0)
            continue;
        cell = cell->next;
    }
    return 0;
}
