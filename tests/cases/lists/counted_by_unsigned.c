// property: termination
// truth: holds
// expect: proved
// The list is walked by its count: there are as many cells, for what the program reads is
// less than what an unsigned number counts.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct cell {
    struct cell *next;
};

struct stack {
    struct cell *top;
    unsigned count;
};

int main(void) {
    struct stack stack = {NULL, 0};
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        struct cell *cell = malloc(sizeof *cell);
        cell->next = stack.top;
        stack.top = cell;
        ++stack.count;
    }
    unsigned left = stack.count;
    struct cell *cell = stack.top;
    while (left--) {
        struct cell *next = cell->next;
        free(cell);
        cell = next;
    }
    return 0;
}
