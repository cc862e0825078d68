// property: reach
// truth: fails
// expect: unknown(W012)
// The zero covers half of one character, and half of the next.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void *);
extern void reach_error(void);
extern unsigned long wcslen(const int *);

int main(void) {
    int *p = malloc(4 * sizeof(int));
    p[0] = 1;
    p[1] = __VERIFIER_nondet_int();
    p[3] = 0;
    *(int *)((char *)p + 6) = 0;
    if (wcslen(p) > 1)
        reach_error();
    free(p);
    return 0;
}
