// property: termination
// truth: fails
// expect: refuted
// No constant input goes on for ever: each one has to be above the last.
int __VERIFIER_nondet_int(void);

int main(void) {
    int last = 0;
    for (;;) {
        int next = __VERIFIER_nondet_int();
        if (next <= last)
            return 0;
        last = next;
    }
}
