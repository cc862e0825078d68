// property: termination
// truth: holds
// expect: unknown(W003)
//
// The program has runs that end; in one branch no run in bounds does, for there is none that
// goes on. That is not what anybody means by an end.

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[8];
    int n = __VERIFIER_nondet_int();
    if (n > 0)
        for (int i = 0;; i++)
            a[i] = 0;
    return 0;
}
