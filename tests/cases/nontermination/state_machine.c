// property: termination
// truth: fails
// expect: refuted
// Two states lead to each other.
int __VERIFIER_nondet_int(void);

int main(void) {
    int state = 0;
    while (state != 3) {
        switch (state) {
        case 0: state = 1; break;
        case 1: state = __VERIFIER_nondet_int() ? 2 : 3; break;
        default: state = 1; break;
        }
    }
    return 0;
}
