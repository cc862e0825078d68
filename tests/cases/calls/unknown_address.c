// property: termination
// truth: fails
// expect: unknown(W007)
// Nothing is known of what is called.
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void) {
    void (*f)(void) = (void (*)(void))__VERIFIER_nondet_ulong();
    f();
    return 0;
}
