// property: termination
// truth: holds
// expect: proved
// A loop that is entered at two places.
int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (__VERIFIER_nondet_int())
        goto middle;
    while (n > 0) {
        n--;
middle:
        n--;
    }
    return 0;
}
