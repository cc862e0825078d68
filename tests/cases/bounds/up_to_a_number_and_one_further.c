// property: memsafety
// truth: holds
// expect: proved
// options: --entry sum
long sum(const int *at, int n)
{
    long all = 0;
    for (int i = 1; i <= n; i++) all ^= at[i - 1];
    return all;
}
