// property: memsafety
// truth: fails
// expect: refuted
// options: --entry take
// Whatever the counter of the file holds, the block is freed twice.
#include <stdlib.h>
static int taken;

int take(void)
{
    char *block = malloc(3);
    taken++;
    free(block);
    free(block);
    return taken;
}

int how_many(void)
{
    return taken;
}
