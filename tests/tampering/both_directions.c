// property: termination
// good: x = x + 1;
// bad: x = x - 1;
// bad: x = x + (x < -7);
int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    while (x != 0) {
        if (x > 0) {
            x = x - 1;
        } else {
            HOLE
        }
    }
    return 0;
}
