// property: termination
// truth: holds
// expect: proved
// The loop ends with the shorter list.
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
    struct node *left = build(__VERIFIER_nondet_int());
    struct node *right = build(__VERIFIER_nondet_int());
    while (left != NULL && right != NULL) {
        left = left->next;
        right = right->next;
    }
    return left == NULL;
}
