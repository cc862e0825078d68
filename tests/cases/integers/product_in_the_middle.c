// property: termination
// truth: fails
// expect: refuted
// Neither factor is at an end of its range.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x < 1 || x > 3 || y < 1 || y > 3)
        return 0;
    int product = x * y;
    while (x == 2 && y == 2 && product == 4)
        ;
    return 0;
}
