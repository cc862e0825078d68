// property: termination
// truth: fails
// expect: unknown(W035)
// Each round adds a positive number: the loop ends when the sum overflows.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int sum = __VERIFIER_nondet_int();
    int step = __VERIFIER_nondet_int();
    if (step <= 0) {
        return 0;
    }
    while (sum >= 0) {
        sum += step;
    }
    return 0;
}
