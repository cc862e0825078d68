// property: termination
// truth: fails
// expect: refuted
// The rows have a length that is no constant: the operand of `sizeof` is evaluated, and
// the index comes back to 0.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 4) {
        return 0;
    }
    int table[2][n];
    int i = 1;
    for (;;) {
        (void)sizeof(table[i = 0]);
        if (i != 0) {
            return 1;
        }
    }
}
