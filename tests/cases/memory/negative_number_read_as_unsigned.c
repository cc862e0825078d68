// property: reach
// truth: fails
// expect: refuted
// The same bytes are a large number without a sign.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void *);
extern void reach_error(void);

int main(void) {
    int *p = malloc(sizeof(int));
    *p = __VERIFIER_nondet_int();
    if (*p < 0 && *(unsigned *)p > 5)
        reach_error();
    free(p);
    return 0;
}
