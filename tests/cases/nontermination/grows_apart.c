// property: termination
// truth: fails
// expect: refuted
// options: --int-model=math
// The number grows ever faster; a half-space around it is closed.
int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    while (a >= 0) {
        a = a + b;
        b = b + 1;
    }
    return 0;
}
