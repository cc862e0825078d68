// property: termination
// truth: holds
// expect: unknown(W004)
// The same cell is freed twice.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *cell = malloc(sizeof *cell);
    free(cell);
    free(cell);
    return 0;
}
