// property: memsafety
// truth: fails
// expect: refuted
// `realpath` makes a block for the name, which may be short.
#include <stdlib.h>

int main(void)
{
    char *path = realpath("/", 0);
    if (!path)
        return 0;
    path[200] = 1;
    free(path);
    return 0;
}
