// property: termination
// truth: holds
// expect: unknown(W021)
// A recursive sum; recursion is not followed yet.
int __VERIFIER_nondet_int(void);

static int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }

int main(void) { return sum(__VERIFIER_nondet_int()); }
