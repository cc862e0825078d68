// property: memsafety
// truth: holds
// expect: proved
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 0) {
        (void)(100 / n);
    }
    return 0;
}
