// property: reach
// truth: fails
// expect: refuted
// An unknown number is written at an unknown place.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void *);
extern void reach_error(void);

int main(void) {
    int *a = malloc(4 * sizeof(int));
    int j = __VERIFIER_nondet_int();
    if (j < 0 || j > 3)
        return 0;
    a[1] = 0;
    a[j] = __VERIFIER_nondet_int();
    if (a[1] != 0)
        reach_error();
    free(a);
    return 0;
}
