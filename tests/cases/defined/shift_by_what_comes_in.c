// property: termination
// truth: holds
// expect: proved
// options: --entry spread
// How far it shifts is taken to be less than the bits that there are, as C asks for.
unsigned spread(unsigned seed, int by, int n)
{
    unsigned sum = 0;
    for (int i = 0; i < n; i++)
        sum = (sum ^ seed) << by;
    return sum;
}
