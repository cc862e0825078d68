// property: reach
// truth: fails
// expect: refuted
// Nothing is known of zeroes behind an unknown number at an unknown place.
extern int __VERIFIER_nondet_int(void);
extern void *calloc(unsigned long, unsigned long);
extern void free(void *);
extern void reach_error(void);

int main(void) {
    int *a = calloc(4, sizeof(int));
    int j = __VERIFIER_nondet_int();
    if (j < 0 || j > 3)
        return 0;
    a[j] = __VERIFIER_nondet_int();
    if (a[1] != 0)
        reach_error();
    free(a);
    return 0;
}
