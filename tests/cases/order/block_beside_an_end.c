// property: memcleanup
// truth: fails
// expect: refuted
// If the block is made first, the program ends with it.
#include <stdlib.h>

static int leave(void) {
    exit(0);
    return 0;
}

static void *make(void) {
    return malloc(3);
}

static void drop(int how, void *what) {
    (void)how;
    free(what);
}

int main(void) {
    drop(leave(), make());
    return 0;
}
