// property: termination
// options: --int-model=math
// truth: fails
// expect: refuted
// The guard is a square, which only grows once the number is far enough from zero.
int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    while (n * n > 20) {
        if (n > 0)
            n = n + 2;
        else
            n = n - 1;
    }
    return 0;
}
