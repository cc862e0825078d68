// property: termination
// truth: holds
// expect: proved
// A retry loop with a bounded number of attempts.
int __VERIFIER_nondet_int(void);

int main(void) {
    int attempts = 0;
    int done = 0;
    while (!done && attempts < 5) {
        done = __VERIFIER_nondet_int() > 0;
        attempts++;
    }
    return done;
}
