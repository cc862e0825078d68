// property: memsafety
// truth: fails
// expect: unknown(W009)
// why: `p` points at `x`, which both change.
int main(void)
{
    int x = 1;
    int *p = &x;
    x = (*p)++;
    return x;
}
