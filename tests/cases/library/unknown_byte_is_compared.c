// property: termination
// truth: fails
// expect: refuted
// One byte of the zeroed text is not known.
extern int __VERIFIER_nondet_int(void);
extern void *calloc(unsigned long, unsigned long);
extern void free(void *);
extern int strcmp(const char *, const char *);

int main(void) {
    char *p = calloc(4, 1);
    p[0] = __VERIFIER_nondet_int();
    while (strcmp(p, "a") == 0)
        ;
    free(p);
    return 0;
}
