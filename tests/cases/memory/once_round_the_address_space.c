// property: reach
// truth: fails
// expect: unknown(W012)
// Twice half of the address space leads back to the block.
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void *malloc(unsigned long);
extern void free(void *);
extern void reach_error(void);

int main(void) {
    char *p = malloc(8);
    unsigned long half = __VERIFIER_nondet_ulong();
    if (half != 1UL << 63)
        return 0;
    char *q = p + half;
    q = q + half;
    if (q == p)
        reach_error();
    free(p);
    return 0;
}
