// property: termination
// truth: fails
// expect: refuted
// options: --int-model=math
// Two functions pass an odd number on and miss zero.
int __VERIFIER_nondet_int(void);

static void down(int n);

static void step(int n) {
    if (n != 0)
        down(n - 1);
}

static void down(int n) {
    step(n - 1);
}

int main(void) {
    step(__VERIFIER_nondet_int());
    return 0;
}
