// property: termination
// truth: holds
// expect: proved
// An even unsigned number, in steps of two.
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    while (n >= 2)
        n -= 2;
    return 0;
}
