// property: termination
// truth: fails
// expect: refuted
// The sign alternates for ever.
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    while (x != 0)
        x = -x;
    return 0;
}
