// property: termination
// truth: holds
// expect: proved

int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int k = 1 << n;
    while (n < 0)
        ;
    return k & 1;
}
