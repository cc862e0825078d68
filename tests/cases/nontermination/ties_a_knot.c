// property: termination
// truth: fails
// expect: refuted
// The last cell is linked to the first, and then the list is walked.
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
    struct node *list = build(__VERIFIER_nondet_int());
    if (list == NULL)
        return 0;
    struct node *last = list;
    while (last->next != NULL)
        last = last->next;
    last->next = list;
    while (list != NULL)
        list = list->next;
    return 0;
}
