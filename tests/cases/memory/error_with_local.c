// property: memsafety
// truth: holds
// expect: proved
// When the run is given up, a variable of the whole function still holds the list.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
void reach_error(void);

struct cell {
    int value;
    struct cell *next;
};

int main(void) {
    struct cell *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct cell *cell = malloc(sizeof *cell);
        cell->value = __VERIFIER_nondet_int();
        cell->next = list;
        list = cell;
    }
    struct cell *at = list;
    while (at) {
        if (at->value < 0) {
            reach_error();
        }
        at = at->next;
    }
    while (list) {
        struct cell *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
