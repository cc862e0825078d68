// property: memsafety
// truth: fails
// expect: refuted

#include <stdlib.h>

/* What the numbers are does not matter: there is one too many. */
int main(void)
{
    int count = 5;
    double *values = malloc(count * sizeof *values);
    values[0] = 0.5;
    for (int i = 1; i <= count; i++)
        values[i] = values[i - 1] * 1.5;
    free(values);
    return 0;
}
