// property: termination
// truth: holds
// expect: proved
//
// Where the pointer is null the run makes an error before it comes to the loop.

int __VERIFIER_nondet_int(void);

int value = 3;

int main(void)
{
    int *p = __VERIFIER_nondet_int() ? &value : 0;
    int n = *p;
    if (!p)
        for (;;)
            ;
    while (n > 0)
        n--;
    return 0;
}
