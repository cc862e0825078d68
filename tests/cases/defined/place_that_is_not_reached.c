// property: termination
// truth: holds
// expect: proved
//
// Where the program says that it never comes, it need not end.

int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        __builtin_unreachable();
    while (n != 0)
        n--;
    return 0;
}
