// property: reach
// truth: fails
// expect: unknown(W012)
// The number is -8 modulo the address space: the address is before the block.
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void *malloc(unsigned long);
extern void free(void *);
extern void reach_error(void);

int main(void) {
    char *p = malloc(8);
    unsigned long n = __VERIFIER_nondet_ulong();
    if (n != -8UL)
        return 0;
    char *q = p + n;
    if (q < p)
        reach_error();
    free(p);
    return 0;
}
