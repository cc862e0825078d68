// property: termination
// truth: holds
// expect: proved
//
// Whatever is read and written there, the counter is none of it.

int __VERIFIER_nondet_int(void);

unsigned long hidden;
int first, second;

int main(void)
{
    hidden = (unsigned long)(__VERIFIER_nondet_int() ? &first : &second) ^ 5;
    int *p = (int *)(hidden ^ 5);
    for (int i = 0; i < 100; i++)
        *p += i;
    return 0;
}
