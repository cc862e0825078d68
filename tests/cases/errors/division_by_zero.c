// property: termination
// truth: holds
// expect: proved
// The input may be zero.
int __VERIFIER_nondet_int(void);

int main(void) {
    return 100 / __VERIFIER_nondet_int();
}
