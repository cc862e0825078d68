// property: termination
// truth: holds
// expect: proved
// With the largest limit the counter would wrap around for ever, after an overflow that C
// leaves undefined: all other runs end.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i <= n; i++) {
    }
    return 0;
}
