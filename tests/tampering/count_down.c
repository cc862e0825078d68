// property: termination
// good: x = x - 1;
// good: x = x - 2;
// bad: x = x + 1;
// bad: x = x - (x > 5);
// bad: if (x != 3) x = x - 1;
int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    int steps = 0;
    while (x > 0) {
        HOLE
        steps = steps + 1;
    }
    return steps;
}
