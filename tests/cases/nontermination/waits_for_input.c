// property: termination
// truth: fails
// expect: unknown(W030)
// The input may never be zero.
int __VERIFIER_nondet_int(void);

int main(void) {
    while (__VERIFIER_nondet_int() != 0)
        ;
    return 0;
}
