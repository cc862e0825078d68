// property: memsafety
// truth: holds
// expect: unknown(W010)
// A vector that grows without a limit: no block has more than half of all addresses, so
// that twice as many elements have a number of bytes.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct vector {
    int *elements;
    size_t used, room;
};

static void push(struct vector *it, int element) {
    if (it->used == it->room) {
        size_t room = it->room ? 2 * it->room : 4;
        it->elements = realloc(it->elements, room * sizeof *it->elements);
        it->room = room;
    }
    it->elements[it->used++] = element;
}

int main(void) {
    struct vector it = {0, 0, 0};
    while (__VERIFIER_nondet_int()) {
        push(&it, 7);
    }
    while (it.used > 0) {
        it.elements[--it.used] = 0;
    }
    free(it.elements);
    return 0;
}
