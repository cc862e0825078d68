// property: memsafety
// good: i = i + 1;
// good: i = i + 1; if (i >= n) break;
// bad: i = i + 1; if (i == n) a[i] = 1;
// bad: i = i - 1;
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
void free(void *);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    int i = 0;
    int *a;
    if (n < 1 || n > 1000)
        return 0;
    a = malloc(n * sizeof(int));
    while (i < n) {
        a[i] = i;
        HOLE
    }
    free(a);
    return 0;
}
