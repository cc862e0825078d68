// property: termination
// truth: holds
// expect: proved
// A loop in a recursive function.
int __VERIFIER_nondet_int(void);

static void tower(int n) {
    if (n <= 0)
        return;
    for (int i = 0; i < n; i++)
        ;
    tower(n - 2);
}

int main(void) {
    tower(__VERIFIER_nondet_int());
    return 0;
}
