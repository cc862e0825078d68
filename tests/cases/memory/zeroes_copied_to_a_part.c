// property: reach
// truth: fails
// expect: refuted
// Only the part that zeroes are copied to becomes zero.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void *calloc(unsigned long, unsigned long);
extern void free(void *);
extern void *memcpy(void *, const void *, unsigned long);
extern void reach_error(void);

int main(void) {
    int *zero = calloc(1, sizeof(int)), *a = malloc(2 * sizeof(int));
    memcpy(a, zero, sizeof(int));
    if (a[1] != 0)
        reach_error();
    free(zero);
    free(a);
    return 0;
}
