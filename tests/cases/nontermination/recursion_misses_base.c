// property: termination
// truth: fails
// expect: refuted
// options: --int-model=math
// A negative argument never meets the base case.
int __VERIFIER_nondet_int(void);

static int down(int n) { return n == 0 ? 0 : down(n - 1); }

int main(void) { return down(__VERIFIER_nondet_int()); }
