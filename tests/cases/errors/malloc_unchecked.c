// property: termination
// truth: holds
// expect: proved
// options: --malloc-may-fail
// Memory may be out, and nobody looks.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *cell = malloc(sizeof *cell);
    cell->next = NULL;
    return 0;
}
