// property: termination
// good: x = x - a - 1;
// bad: x = x - a;
// bad: x = x - a + f;
int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    while (x > 0) {
        int a = 0, b = 0, c = 0, d = 0, e = 0, f = 0;
        if (__VERIFIER_nondet_int()) a = 1;
        if (__VERIFIER_nondet_int()) b = a + 1;
        if (__VERIFIER_nondet_int()) c = b + 1;
        if (__VERIFIER_nondet_int()) d = c + 1;
        if (__VERIFIER_nondet_int()) e = d + 1;
        if (__VERIFIER_nondet_int()) f = e + 1;
        HOLE
        if (b + c + d + e + f > 100)
            x = x - 1;
    }
    return 0;
}
