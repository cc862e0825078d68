// property: termination
// truth: holds
// expect: proved
// One list becomes two by turns; both are walked.
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
    struct node *even = NULL, *odd = NULL;
    int turn = 0;
    while (list != NULL) {
        struct node *next = list->next;
        if (turn) {
            list->next = odd;
            odd = list;
        } else {
            list->next = even;
            even = list;
        }
        turn = !turn;
        list = next;
    }
    while (even != NULL)
        even = even->next;
    while (odd != NULL)
        odd = odd->next;
    return 0;
}
