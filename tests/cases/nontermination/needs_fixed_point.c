// property: termination
// truth: fails
// expect: refuted
// Only where 3 * a = 7 * b does the loop leave the numbers as they are.
int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    while (a > 0 && b > 0)
        a = 7 * b - 2 * a;
    return 0;
}
