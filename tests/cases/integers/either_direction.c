// property: termination
// truth: holds
// expect: proved
// The step is 2 or -2, and never what lies between.
int __VERIFIER_nondet_int(void);

int main(void) {
    int step = __VERIFIER_nondet_int() ? 2 : -2;
    int position = __VERIFIER_nondet_int();
    while (position > -50 && position < 50) {
        position += step;
    }
    return 0;
}
