// property: memsafety
// good: s[n] = 0;
// bad: s[n] = 1;
// bad: s[0] = 1;
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
void free(void *);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    int i = 0;
    char *s;
    if (n < 1 || n > 1000)
        return 0;
    s = malloc(n + 1);
    for (i = 0; i < n; i++)
        s[i] = __VERIFIER_nondet_int();
    HOLE
    i = 0;
    while (s[i] != 0)
        i = i + 1;
    free(s);
    return 0;
}
