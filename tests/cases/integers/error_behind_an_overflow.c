// property: reach
// truth: holds
// expect: unknown(W034)
//
// The error is behind a sum that no defined run computes; with wrap-around it is reached.

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n > 0 && n + 1 < 0)
        reach_error();
    return 0;
}
