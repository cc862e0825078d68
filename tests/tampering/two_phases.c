// property: termination
// good: x = x + y; y = y - 1;
// bad: x = x + y; y = y - (y > 1);
// bad: x = x + y;
int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    while (x > 0) {
        HOLE
    }
    return 0;
}
