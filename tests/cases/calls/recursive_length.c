// property: termination
// truth: holds
// expect: proved
// The recursion follows the list.
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

static int length(const struct node *list) {
    return list == NULL ? 0 : 1 + length(list->next);
}

int main(void) { return length(build(__VERIFIER_nondet_int())); }
