// property: termination
// truth: holds
// expect: proved
//
// Nothing keeps i inside of a, and the loop ends in every run in which it is.

int __VERIFIER_nondet_int(void);

int a[10];

int main(void)
{
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        a[i] = i;
    return 0;
}
