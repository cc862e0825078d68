// property: termination
// truth: fails
// expect: refuted
// As `counted_by_unsigned.c`, but the count is compared after it has wrapped around: it is
// never less than zero.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct cell {
    struct cell *next;
};

int main(void) {
    struct cell *top = NULL;
    unsigned count = 0;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        struct cell *cell = malloc(sizeof *cell);
        cell->next = top;
        top = cell;
        ++count;
    }
    while (count >= 0) {
        count--;
        if (top) {
            struct cell *next = top->next;
            free(top);
            top = next;
        }
    }
    return 0;
}
