// property: termination
// truth: holds
// expect: proved
// A list is built and freed by recursive functions.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *make(int length) {
    if (length <= 0)
        return NULL;
    struct node *cell = malloc(sizeof *cell);
    cell->value = length;
    cell->next = make(length - 1);
    return cell;
}

static void dispose(struct node *list) {
    if (list == NULL)
        return;
    dispose(list->next);
    free(list);
}

int main(void) {
    dispose(make(__VERIFIER_nondet_int()));
    return 0;
}
