// property: memsafety
// truth: fails
// expect: refuted
// The only pointer goes out of scope before the paths meet.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);

int main(void) {
    if (__VERIFIER_nondet_int()) {
        char *p = malloc(8);
        *p = 0;
    }
    return 0;
}
