// property: termination
// truth: holds
// expect: proved
// The body runs at least once.
int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    do {
        n--;
    } while (n > 0);
    return 0;
}
