// property: termination
// truth: fails
// expect: refuted
//
// The program has runs that end, and one branch with a loop that none leaves: no `int` is so
// large.

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n > 0)
        for (int i = 0; i < 5000000000; i++)
            ;
    return 0;
}
