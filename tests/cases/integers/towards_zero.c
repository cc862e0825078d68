// property: termination
// truth: holds
// expect: proved
// From either side, in steps of one: no single measure falls on both.
int __VERIFIER_nondet_int(void);

int main(void) {
    int offset = __VERIFIER_nondet_int();
    while (offset != 0) {
        offset += offset > 0 ? -1 : 1;
    }
    return 0;
}
