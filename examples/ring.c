// A ring of cells: once around it, then it is taken apart.
#include <stdlib.h>

struct cell {
    int marked;
    struct cell *next;
};

int __VERIFIER_nondet_int(void);

int main(void) {
    struct cell *start = malloc(sizeof *start);
    start->marked = 0;
    start->next = start;
    for (int i = __VERIFIER_nondet_int(); i > 0; i--) {
        struct cell *cell = malloc(sizeof *cell);
        cell->marked = 0;
        cell->next = start->next;
        start->next = cell;
    }

    struct cell *cell = start;
    do {
        cell->marked = 1;
        cell = cell->next;
    } while (cell != start);

    while (start->next != start) {
        struct cell *dead = start->next;
        start->next = dead->next;
        free(dead);
    }
    free(start);
    return 0;
}
