// property: termination
// truth: holds
// expect: proved
// A function does the step.
int __VERIFIER_nondet_int(void);

static int previous(int n) { return n - 1; }

int main(void) {
    int n = __VERIFIER_nondet_int();
    while (n > 0)
        n = previous(n);
    return 0;
}
