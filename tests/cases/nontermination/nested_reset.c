// property: termination
// truth: fails
// expect: refuted
// The inner loop undoes the progress of the outer one.
int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    while (n > 0) {
        n--;
        for (int i = 0; i < 1; i++)
            n++;
    }
    return 0;
}
