// property: memsafety
// good: int from = 0;
// bad: int from = 1;
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
void free(void *);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 99)
        return 0;
    int **table = malloc(n * sizeof *table);
    for (int i = 0; i < n; i++)
        table[i] = malloc(4);
    HOLE
    for (int i = from; i < n; i++)
        free(table[i]);
    free(table);
    return 0;
}
