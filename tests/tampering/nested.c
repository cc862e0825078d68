// property: termination
// good: i = i + 1;
// bad: i = i + 0;
// bad: i = j - n + i;
int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    int i = 0;
    while (i < n) {
        int j = 0;
        while (j < n)
            j = j + 1;
        HOLE
    }
    return 0;
}
