// property: termination
// truth: fails
// expect: refuted
// A remainder may be 1 below the divisor: 2 % 3 + 1 is 3 again.
int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    while (b != 0) {
        int rest = a % b + 1;
        a = 2;
        b = rest;
    }
    return a;
}
