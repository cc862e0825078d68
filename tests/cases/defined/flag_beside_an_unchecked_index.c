// property: termination
// truth: holds
// expect: proved
//
// A write in bounds of one object leaves the other one as it is.

int __VERIFIER_nondet_int(void);

int other[4];
int stop = 1;

int main(void)
{
    int *at = &stop;
    int k = __VERIFIER_nondet_int();
    other[k] = 0;
    while (!*at)
        ;
    return 0;
}
