// property: termination
// truth: holds
// expect: proved
//
// The step is not 0: else the division in front of the loop is none.

int __VERIFIER_nondet_int(void);

int main(void)
{
    int step = __VERIFIER_nondet_int();
    int n = 1000 / step;
    if (step < 0)
        return 0;
    for (int i = n; i > 0; i -= step)
        ;
    return 0;
}
