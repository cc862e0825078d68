// property: termination
// truth: holds
// expect: proved
// The first argument falls, or it stays and the second falls.
int __VERIFIER_nondet_int(void);

static int ackermann(int m, int n) {
    if (m <= 0)
        return n + 1;
    if (n <= 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void) { return ackermann(__VERIFIER_nondet_int(), __VERIFIER_nondet_int()); }
