// property: termination
// truth: fails
// expect: refuted
// One step up, one step down.
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), up = 1;
    while (x > 0) {
        x = up ? x + 1 : x - 1;
        up = !up;
    }
    return 0;
}
