// property: termination
// good: return n - 1;
// bad: return n;
// bad: return 5;
int __VERIFIER_nondet_int(void);
int less(int n)
{
    if (n > 10) {
        int m = less(n - 1);
        if (m > n - 2)
            return n - 1;
        return m;
    }
    HOLE
}
int main(void)
{
    int x = __VERIFIER_nondet_int();
    while (x > 0)
        x = less(x);
    return 0;
}
