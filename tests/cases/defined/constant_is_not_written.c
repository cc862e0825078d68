// property: termination
// truth: holds
// expect: proved
//
// A run that writes to the string makes an error there.

int __VERIFIER_nondet_int(void);

int main(void)
{
    char *text = "a";
    if (__VERIFIER_nondet_int())
        *text = 0;
    while (*text == 0)
        ;
    return 0;
}
