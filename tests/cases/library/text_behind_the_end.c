// property: memsafety
// truth: fails
// expect: refuted
// The text begins behind the zero.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void *);
extern unsigned long strlen(const char *);

int main(void) {
    char *p = malloc(8);
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 7) {
        p[i] = 0;
        strlen(p + i + 1);
    }
    free(p);
    return 0;
}
