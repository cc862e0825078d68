// property: termination
// truth: holds
// expect: proved
// First y falls below zero, then x falls with it.
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    while (x > 0) {
        x += y;
        y--;
    }
    return 0;
}
