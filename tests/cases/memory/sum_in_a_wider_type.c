// property: reach
// truth: fails
// expect: unknown(W012)
// The sum goes round in the type of addresses, and not in a wider one.
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void *malloc(unsigned long);
extern void free(void *);
extern void reach_error(void);

int main(void) {
    char *p = malloc(8);
    unsigned long n = __VERIFIER_nondet_ulong();
    __int128 sum = (__int128)(unsigned long)p + n;
    unsigned long low = (unsigned long)p + n;
    if (low != sum)
        reach_error();
    free(p);
    return 0;
}
