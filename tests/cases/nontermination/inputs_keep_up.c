// property: termination
// options: --int-model=math
// truth: fails
// expect: unknown(W030)
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
