// property: termination
// truth: holds
// expect: proved
// options: --malloc-may-fail
// Building stops when memory is out; the rest is walked.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *list = NULL;
    for (int i = __VERIFIER_nondet_int(); i > 0; i--) {
        struct node *cell = malloc(sizeof *cell);
        if (cell == NULL)
            break;
        cell->next = list;
        list = cell;
    }
    while (list != NULL)
        list = list->next;
    return 0;
}
