// property: memsafety
// truth: holds
// expect: proved
// All cells point at one block; only the first frees it.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct cell {
    struct cell *next;
    int *total;
};

int main(void) {
    int *total = malloc(sizeof *total);
    *total = 0;
    struct cell *list = malloc(sizeof *list);
    list->next = NULL;
    list->total = total;
    while (__VERIFIER_nondet_int()) {
        struct cell *cell = malloc(sizeof *cell);
        cell->next = list;
        cell->total = list->total;
        list = cell;
    }
    total = NULL;
    free(list->total);
    while (list) {
        struct cell *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
