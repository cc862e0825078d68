// property: termination
// truth: fails
// expect: refuted
//
// The write is in bounds for k = 2, and then the loop does not end: what it may write is not
// known to be what it was.

int __VERIFIER_nondet_int(void);

int stop[4] = { 1, 1, 1, 1 };

int main(void)
{
    int k = __VERIFIER_nondet_int();
    stop[k] = 0;
    while (!stop[2])
        ;
    return 0;
}
