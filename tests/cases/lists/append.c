// property: termination
// truth: holds
// expect: proved
// The second list is hung behind the first, then both are walked as one.
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
    struct node *first = build(__VERIFIER_nondet_int());
    struct node *second = build(__VERIFIER_nondet_int());
    if (first == NULL) {
        first = second;
    } else {
        struct node *last = first;
        while (last->next != NULL)
            last = last->next;
        last->next = second;
    }
    while (first != NULL)
        first = first->next;
    return 0;
}
