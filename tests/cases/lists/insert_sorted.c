// property: termination
// truth: holds
// expect: proved
// Each new cell is inserted at its place.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *insert(struct node *list, int value) {
    struct node *cell = malloc(sizeof *cell);
    cell->value = value;
    if (list == NULL || list->value >= value) {
        cell->next = list;
        return cell;
    }
    struct node *before = list;
    while (before->next != NULL && before->next->value < value)
        before = before->next;
    cell->next = before->next;
    before->next = cell;
    return list;
}

int main(void) {
    struct node *list = NULL;
    for (int i = __VERIFIER_nondet_int(); i > 0; i--)
        list = insert(list, __VERIFIER_nondet_int());
    while (list != NULL)
        list = list->next;
    return 0;
}
