// property: termination
// truth: holds
// expect: proved
// options: --int-model=math
// Sooner or later the bit is shifted behind the bound.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = 0, x = __VERIFIER_nondet_int();
    if (x < 1)
        return 0;
    while ((long)x << n < 100000000000)
        n = n + 1;
    return 0;
}
