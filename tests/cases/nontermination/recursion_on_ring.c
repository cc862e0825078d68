// property: termination
// truth: fails
// expect: refuted
// The recursion follows a ring.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static int length(const struct node *list) {
    return list == NULL ? 0 : 1 + length(list->next);
}

int main(void) {
    struct node *cell = malloc(sizeof *cell);
    cell->next = cell;
    return length(cell);
}
