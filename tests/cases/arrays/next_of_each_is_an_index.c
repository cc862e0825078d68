// property: memsafety
// truth: holds
// expect: proved
// why: zeros and what is written later are indices below the count.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int next[16] = {0};
    int count = __VERIFIER_nondet_int();
    if (count < 1 || count > 16)
        return 1;
    for (int from = 0; from < count; from++) {
        int to = __VERIFIER_nondet_int();
        if (to >= 0 && to < count)
            next[from] = to;
    }
    int at = 0;
    for (int steps = 0; steps < 100; steps++)
        at = next[at];
    return at;
}
