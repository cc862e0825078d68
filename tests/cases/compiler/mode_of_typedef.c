// property: memsafety
// truth: fails
// expect: refuted
// The mode stands behind the name and makes the type as wide as an address.
#include <stdlib.h>

typedef int machine_word __attribute__((mode(word)));

int main(void)
{
    machine_word *cell = malloc(sizeof(int));
    *cell = 1;
    free(cell);
    return 0;
}
