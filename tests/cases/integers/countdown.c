// property: termination
// truth: holds
// expect: proved
// The plain counted loop.
int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    while (n > 0)
        n--;
    return 0;
}
