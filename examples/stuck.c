// A search that hangs: when the value is not in the list, and the list is a
// ring, there is no null link to stop at.
#include <stdlib.h>

struct cell {
    int value;
    struct cell *next;
};

int __VERIFIER_nondet_int(void);

int main(void) {
    struct cell *ring = malloc(sizeof *ring);
    ring->value = 0;
    ring->next = ring;
    for (int i = __VERIFIER_nondet_int(); i > 0; i--) {
        struct cell *cell = malloc(sizeof *cell);
        cell->value = i;
        cell->next = ring->next;
        ring->next = cell;
    }

    int wanted = __VERIFIER_nondet_int();
    struct cell *cell = ring;
    while (cell != NULL && cell->value != wanted)
        cell = cell->next;
    return 0;
}
