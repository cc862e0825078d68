// property: termination
// good: return f(n - 1) + 1;
// bad: return f(n) + 1;
// bad: return f(n > 3 ? n - 1 : 3);
int __VERIFIER_nondet_int(void);
int f(int n)
{
    if (n <= 0)
        return 0;
    HOLE
}
int main(void)
{
    return f(__VERIFIER_nondet_int());
}
