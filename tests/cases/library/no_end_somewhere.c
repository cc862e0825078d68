// property: memsafety
// truth: fails
// expect: refuted
// The character somewhere in the block ends no text.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void *);
extern unsigned long strlen(const char *);

int main(void) {
    char *p = malloc(8);
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 8) {
        p[i] = 'x';
        strlen(p);
    }
    free(p);
    return 0;
}
