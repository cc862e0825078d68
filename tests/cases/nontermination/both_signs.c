// property: termination
// options: --int-model=math
// truth: fails
// expect: refuted
// The product stays positive: both factors are negative, and fall.
int __VERIFIER_nondet_int(void);

int main(void) {
    int left = __VERIFIER_nondet_int();
    int right = __VERIFIER_nondet_int();
    while (left * right > 0) {
        left = left - 1;
        right = right - 2;
    }
    return 0;
}
