// property: termination
// truth: holds
// expect: proved
// The inner loop counts down what the outer loop counts up.
int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 1; i <= n; i++) {
        int rest = i;
        while (rest > 0)
            rest--;
    }
    return 0;
}
