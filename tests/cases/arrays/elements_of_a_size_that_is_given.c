// property: memsafety
// truth: holds
// expect: proved
// A vector of elements whose size only its user knows.
#include <stdlib.h>
#include <string.h>

int __VERIFIER_nondet_int(void);

struct vector {
    char *bytes;
    int n_elements, n_bytes;
};

static void set(struct vector *it, int at, const void *element) {
    if (at >= 0 && at < it->n_elements) {
        memcpy(it->bytes + at * it->n_bytes, element, it->n_bytes);
    }
}

int main(void) {
    int n = __VERIFIER_nondet_int(), width = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000 || width < 1 || width > 64) {
        return 1;
    }
    char zero[64] = {0};
    struct vector it = {malloc((size_t)n * width), n, width};
    for (int i = 0; i < n; i++) {
        set(&it, __VERIFIER_nondet_int(), zero);
    }
    free(it.bytes);
    return 0;
}
