// property: memsafety
// truth: holds
// expect: proved
// While the recursion walks on, only the caller holds the first cell.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static int length(struct node *list) {
    return list ? 1 + length(list->next) : 0;
}

int main(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *cell = malloc(sizeof *cell);
        cell->next = list;
        list = cell;
    }
    int n = length(list);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return n > 0;
}
