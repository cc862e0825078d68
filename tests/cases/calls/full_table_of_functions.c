// property: memsafety
// truth: holds
// expect: proved
// options: --entry run
typedef int work(int);
static int same(int n)
{
    return n;
}
static int other(int n)
{
    return ~n;
}
static work *table[4] = {same, other, other, same};
int run(unsigned k, int n)
{
    return table[k & 3](n);
}
