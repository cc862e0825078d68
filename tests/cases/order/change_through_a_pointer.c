// property: memsafety
// truth: fails
// expect: unknown(W009)
// why: `p` points at `x`, which nothing orders before its change.
int main(void)
{
    int x = 1;
    int *p = &x;
    return x + (*p)++;
}
