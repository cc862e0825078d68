// property: memsafety
// truth: holds
// expect: proved
// why: however large the product is, the block and the loop have the same number of elements
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int days = __VERIFIER_nondet_int(), stations = __VERIFIER_nondet_int();
    if (days < 1 || stations < 1)
        return 1;
    long *sums = malloc(stations * sizeof(long));
    long *rain = malloc(days * stations * sizeof(long));
    if (sums == NULL || rain == NULL) {
        free(sums);
        free(rain);
        return 1;
    }
    for (int i = 0; i < stations; i++)
        sums[i] = 0;
    for (int i = 0; i < stations * days; i++)
        rain[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < days * stations; i++)
        sums[i % stations] += rain[i] / 2;
    free(rain);
    free(sums);
    return 0;
}
