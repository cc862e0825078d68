// property: termination
// options: --int-model=math
// truth: fails
// expect: refuted
// The inner loop takes ever more rounds, so that no round of the outer one is like another.
int __VERIFIER_nondet_int(void);

int main(void) {
    int rounds = __VERIFIER_nondet_int();
    int left = 0;
    if (rounds < 1)
        return 0;
    while (rounds > 0) {
        if (left > 0) {
            left = left - 1;
        } else {
            rounds = rounds + 1;
            left = rounds;
        }
    }
    return 0;
}
