// property: termination
// truth: holds
// expect: proved
// The search may stop early.
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
    int wanted = __VERIFIER_nondet_int();
    struct node *cell = build(__VERIFIER_nondet_int());
    while (cell != NULL && cell->value != wanted)
        cell = cell->next;
    return cell != NULL;
}
