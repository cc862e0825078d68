// property: memsafety
// truth: fails
// expect: unknown(W010)
// The callee drops the only pointer, and never returns.
#include <stdlib.h>

static int descend(int *block, int depth) {
    block = NULL;
    return descend(block, depth);
}

int main(void) {
    return descend(malloc(4), 0);
}
