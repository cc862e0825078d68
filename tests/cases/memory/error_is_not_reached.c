// property: reach
// truth: holds
// expect: proved
// The last cell is the one whose link is null.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
void reach_error(void);

struct node {
    struct node *next;
};

int main(void) {
    struct node *list = malloc(sizeof *list);
    list->next = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *cell = malloc(sizeof *cell);
        cell->next = list;
        list = cell;
    }
    while (list->next) {
        list = list->next;
    }
    if (list->next) {
        reach_error();
    }
    return 0;
}
