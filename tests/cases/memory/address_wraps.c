// property: termination
// truth: fails
// expect: refuted
// A large length takes the number of an address round to a smaller one.
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void) {
    char buffer[16];
    unsigned long start = (unsigned long)buffer;
    unsigned long length = __VERIFIER_nondet_ulong();
    while (start + length < start) {
    }
    return 0;
}
