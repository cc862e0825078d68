// property: termination
// truth: holds
// expect: proved
// The walk starts again from the front, a bounded number of times.
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
    int restarts = __VERIFIER_nondet_int();
    while (cell != NULL) {
        if (restarts > 0 && __VERIFIER_nondet_int()) {
            restarts--;
            cell = list;
        } else {
            cell = cell->next;
        }
    }
    return 0;
}
