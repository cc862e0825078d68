// property: memsafety
// truth: holds
// expect: proved
// The list ends at a mark, which is none of the values before.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct cell {
    int value;
    struct cell *next;
};

int main(void) {
    struct cell *list = malloc(sizeof *list);
    struct cell *last = list;
    int turn = 1;
    while (__VERIFIER_nondet_int()) {
        last->value = turn ? 5 : 8;
        turn = !turn;
        last->next = malloc(sizeof *last);
        last = last->next;
    }
    last->value = 9;
    while (list->value != 9) {
        struct cell *next = list->next;
        free(list);
        list = next;
    }
    free(list);
    return 0;
}
