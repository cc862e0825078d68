// property: termination
// truth: holds
// expect: proved
// Halving a positive number ends.
int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), bits = 0;
    while (n > 0) {
        n = n / 2;
        bits++;
    }
    return bits;
}
