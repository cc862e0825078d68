// property: memsafety
// truth: fails
// expect: refuted
// options: --entry run
// why: Nobody fills the last two places of the table.
typedef int work(int);
static int same(int n)
{
    return n;
}
static work *table[4] = {same, same};
int run(unsigned k, int n)
{
    return table[k & 3](n);
}
