// property: termination
// truth: holds
// expect: proved
// The counter is changed through its address.
int __VERIFIER_nondet_int(void);

static void decrease(int *n) { *n = *n - 1; }

int main(void) {
    int n = __VERIFIER_nondet_int();
    while (n > 0)
        decrease(&n);
    return 0;
}
