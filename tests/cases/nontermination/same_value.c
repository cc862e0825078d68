// property: termination
// truth: fails
// expect: refuted
// Nothing changes.
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    while (x > 0)
        x = x;
    return 0;
}
