// property: termination
// truth: holds
// expect: proved
// Greatest common divisor by remainders.
int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a < 0 || b < 0)
        return 0;
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
