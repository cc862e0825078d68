// property: reach
// truth: fails
// expect: unknown(W012)
// The distance is -8: addresses count modulo the address space.
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
    long distance = q - p;
    if (distance < 0)
        reach_error();
    free(p);
    return 0;
}
