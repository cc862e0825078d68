// property: memsafety
// truth: holds
// expect: proved
// why: the product was formed before the loop, and its number is in a structure
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct table {
    unsigned rows, columns, cells;
    short *values;
};

int main(void) {
    struct table it = {__VERIFIER_nondet_int(), __VERIFIER_nondet_int(), 0, 0};
    it.cells = it.rows * it.columns;
    it.values = calloc(it.cells, sizeof(short));
    if (it.values == NULL)
        return 1;
    while (__VERIFIER_nondet_int()) {
        unsigned at = __VERIFIER_nondet_int();
        if (at < it.columns * it.rows)
            it.values[at]++;
    }
    free(it.values);
    return 0;
}
