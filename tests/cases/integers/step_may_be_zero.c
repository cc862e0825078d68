// property: termination
// truth: fails
// expect: refuted
// Without an overflow only a step of zero goes on for ever.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int sum = __VERIFIER_nondet_int();
    int step = __VERIFIER_nondet_int();
    if (step < 0) {
        return 0;
    }
    while (sum >= 0) {
        sum += step;
    }
    return 0;
}
