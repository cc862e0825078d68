// property: termination
// truth: holds
// expect: proved
// The step is called through a pointer.
int __VERIFIER_nondet_int(void);

static int down(int n) { return n - 1; }
static int faster(int n) { return n - 3; }

int main(void) {
    int n = __VERIFIER_nondet_int();
    int (*step)(int) = __VERIFIER_nondet_int() ? down : faster;
    while (n > 0)
        n = step(n);
    return 0;
}
