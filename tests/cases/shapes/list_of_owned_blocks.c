// property: memsafety
// truth: holds
// expect: proved
// Each cell owns a text of its own.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct cell {
    char *text;
    struct cell *next;
};

int main(void) {
    struct cell *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct cell *cell = malloc(sizeof *cell);
        cell->text = malloc(20);
        cell->text[0] = 0;
        cell->next = list;
        list = cell;
    }
    while (list) {
        struct cell *next = list->next;
        free(list->text);
        free(list);
        list = next;
    }
    return 0;
}
