// property: reach
// good: t[2] = 0;
// bad: t[2] = 1;
// bad: t[k & 1] = 1; t[3] = 5;
int __VERIFIER_nondet_int(void);
void *calloc(unsigned long, unsigned long);
void free(void *);
void reach_error(void);
int main(void)
{
    int *t = calloc(4, sizeof(int));
    int k = 0;
    while (__VERIFIER_nondet_int())
        k = k + 1;
    HOLE
    if (t[0] != 0 || t[1] != 0 || t[2] != 0 || t[3] != 0)
        reach_error();
    free(t);
    return 0;
}
