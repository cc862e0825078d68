// property: memsafety
// truth: fails
// expect: refuted
// The index may be negative.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i > 3)
        return 0;
    int *a = malloc(4 * sizeof(int));
    a[i] = 0;
    free(a);
    return 0;
}
