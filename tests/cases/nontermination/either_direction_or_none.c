// property: termination
// truth: fails
// expect: refuted
// As with steps of 2 and -2, but the step may be 0.
int __VERIFIER_nondet_int(void);

int main(void) {
    int step = __VERIFIER_nondet_int();
    int position = __VERIFIER_nondet_int();
    if (step < -2 || step > 2) {
        return 0;
    }
    while (position > -50 && position < 50) {
        position += step;
    }
    return 0;
}
