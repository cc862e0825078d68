// property: memsafety
// truth: fails
// expect: refuted
// The room is noted before there is any.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    size_t used = 0, room = 2;
    int *elements = malloc(room * sizeof *elements);
    while (__VERIFIER_nondet_int()) {
        if (used == room) {
            room = 2 * room;
        }
        elements[used++] = 0;
    }
    free(elements);
    return 0;
}
