// property: memsafety
// truth: holds
// expect: unknown(W010)
// All bytes of the address are there, though not in one place that is read as an address before
// the block is freed.
#include <stdlib.h>

static char *copy;

int main(void) {
    char *block = malloc(8);
    for (unsigned i = 0; i < sizeof copy; i++)
        ((char *)&copy)[i] = ((char *)&block)[i];
    block = 0;
    free(copy);
    return 0;
}
