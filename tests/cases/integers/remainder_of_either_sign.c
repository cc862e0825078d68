// property: termination
// truth: holds
// expect: proved
// A remainder is nearer to zero than the divisor, whatever the signs are.
int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
