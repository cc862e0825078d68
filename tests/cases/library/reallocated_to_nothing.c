// property: memsafety
// truth: fails
// expect: unknown(W004)

#include <stdlib.h>

/* Whether the block is gone then, C leaves open; here it is freed twice with the GNU library. */
int main(void)
{
    char *block = malloc(8);
    char *none = realloc(block, 0);
    if (none)
        free(none);
    else
        free(block);
    return 0;
}
