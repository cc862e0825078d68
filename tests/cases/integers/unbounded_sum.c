// property: termination
// truth: fails
// expect: refuted
// options: --int-model=math
// Unbounded integers never overflow.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int sum = 0;
    int step = __VERIFIER_nondet_int();
    if (step <= 0) {
        return 0;
    }
    while (sum >= 0) {
        sum += step;
    }
    return 0;
}
