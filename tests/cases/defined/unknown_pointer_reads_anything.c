// property: termination
// truth: fails
// expect: unknown(W030)
//
// Where the pointer points is not known, and what is there may stay.

int __VERIFIER_nondet_int(void);

int zero, one = 1;
unsigned long hidden[2];

int main(void)
{
    hidden[0] = (unsigned long)&zero ^ 5;
    hidden[1] = (unsigned long)&one ^ 5;
    int *p = (int *)(hidden[__VERIFIER_nondet_int() & 1] ^ 5);
    while (*p == 0)
        ;
    return 0;
}
