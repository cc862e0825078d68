// property: termination
// truth: holds
// expect: proved
// Cells move from one stack to the other and are walked there.
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
    struct node *from = build(__VERIFIER_nondet_int());
    struct node *to = NULL;
    while (from != NULL) {
        struct node *cell = from;
        from = from->next;
        cell->next = to;
        to = cell;
    }
    while (to != NULL)
        to = to->next;
    return 0;
}
