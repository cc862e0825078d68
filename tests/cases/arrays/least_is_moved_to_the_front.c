// property: memsafety
// truth: holds
// expect: proved
// The place of the least number moves along with the one that is looked at.
#include <stdio.h>
#include <stdlib.h>
static void order(double *rates, int n)
{
    for (int i = 0; i + 1 < n; i++) {
        int least = i;
        for (int k = i + 1; k < n; k++)
            if (rates[k] < rates[least])
                least = k;
        double rate = rates[i];
        rates[i] = rates[least];
        rates[least] = rate;
    }
}
int main(int argc, char **argv)
{
    int n = argc - 1;
    if (n < 1)
        return 1;
    double *rates = malloc(n * sizeof *rates);
    for (int i = 0; i < n; i++)
        rates[i] = atof(argv[i + 1]);
    order(rates, n);
    printf("%g\n", rates[0]);
    free(rates);
    return 0;
}
