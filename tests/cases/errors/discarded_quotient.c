// property: memsafety
// truth: fails
// expect: unknown(W006)
// Nobody looks at the quotient; the machine stops all the same.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    (void)(100 / n);
    return 0;
}
