// property: termination
// truth: holds
// expect: proved
// Unsigned, and stopped at zero.
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    while (n != 0)
        n--;
    return 0;
}
