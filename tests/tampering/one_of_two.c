// property: termination
// good: y = y - 1;
// bad: y = y + 1;
// bad: y = y - 1; x = x + 1;
int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    while (x > 0 && y > 0) {
        if (__VERIFIER_nondet_int()) {
            x = x - 1;
            y = __VERIFIER_nondet_int();
        } else {
            HOLE
        }
    }
    return 0;
}
