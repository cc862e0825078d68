// property: termination
// truth: holds
// expect: proved
// Unlinking through a pointer to the link.
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
    struct node **link = &list;
    while (*link != NULL) {
        struct node *cell = *link;
        if (cell->value == unwanted) {
            *link = cell->next;
            free(cell);
        } else {
            link = &cell->next;
        }
    }
    return list == NULL;
}
