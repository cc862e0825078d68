// property: termination
// truth: holds
// expect: proved
// In-place reversal of an acyclic list.
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
    struct node *rest = build(__VERIFIER_nondet_int());
    struct node *done = NULL;
    while (rest != NULL) {
        struct node *next = rest->next;
        rest->next = done;
        done = rest;
        rest = next;
    }
    return done == NULL;
}
