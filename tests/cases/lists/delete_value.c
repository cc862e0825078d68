// property: termination
// truth: holds
// expect: proved
// All cells with one value are unlinked and freed, with a trailing pointer.
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
    int unwanted = __VERIFIER_nondet_int();
    struct node *list = build(__VERIFIER_nondet_int());
    struct node *before = NULL;
    struct node *cell = list;
    while (cell != NULL) {
        struct node *next = cell->next;
        if (cell->value == unwanted) {
            if (before == NULL)
                list = next;
            else
                before->next = next;
            free(cell);
        } else {
            before = cell;
        }
        cell = next;
    }
    while (list != NULL)
        list = list->next;
    return 0;
}
