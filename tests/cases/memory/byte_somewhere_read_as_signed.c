// property: reach
// truth: fails
// expect: refuted
// A byte at an unknown place is 200 without a sign, and negative with one.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void *);
extern void reach_error(void);

int main(void) {
    unsigned char *p = malloc(8);
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 7)
        return 0;
    p[i] = 200;
    if (((signed char *)p)[i] < 0)
        reach_error();
    free(p);
    return 0;
}
