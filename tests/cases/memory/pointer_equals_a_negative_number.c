// property: reach
// truth: fails
// expect: unknown(W012)
// The pointer is the number modulo the address space.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void *);
extern void reach_error(void);

int main(void) {
    char **m = malloc(sizeof(char *));
    int x = __VERIFIER_nondet_int();
    if (x < 0) {
        char *p = *m;
        if (p == (char *)(long)x && p > (char *)5)
            reach_error();
    }
    free(m);
    return 0;
}
