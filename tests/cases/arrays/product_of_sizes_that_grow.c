// property: memsafety
// truth: fails
// expect: refuted
// why: one factor is larger when the product is formed again
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int days = __VERIFIER_nondet_int(), stations = __VERIFIER_nondet_int();
    if (days < 1 || stations < 1)
        return 1;
    int *rain = malloc(days * stations * sizeof(int));
    if (rain == NULL)
        return 1;
    if (__VERIFIER_nondet_int())
        stations++;
    for (int i = 0; i < days * stations; i++)
        rain[i] = 0;
    free(rain);
    return 0;
}
