// property: reach
// good: x = x + 1;
// bad: x = x + 3;
// bad: x = x + 1 + (x == 9);
int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void)
{
    int x = 0;
    int y = __VERIFIER_nondet_int();
    while (x < 10) {
        if (y > x)
            y = y - 1;
        HOLE
    }
    if (x != 10)
        reach_error();
    return 0;
}
