// property: memcleanup
// truth: fails
// expect: refuted
// What was lost is not freed either.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);

int main(void) {
    char *p = malloc(8);
    p = 0;
    while (__VERIFIER_nondet_int())
        ;
    return 0;
}
