// property: termination
// truth: fails
// expect: refuted
// options: --int-model=machine

int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    while (n % 2 == 0)
        n += 2;
    return 0;
}
