// property: memsafety
// truth: fails
// expect: refuted

#include <stdlib.h>

int main(void)
{
    int *numbers = malloc(4 * sizeof *numbers);
    int *last = numbers + 3;
    *last = 1;
    numbers = realloc(numbers, 8 * sizeof *numbers);
    *last = 2;
    free(numbers);
    return 0;
}
