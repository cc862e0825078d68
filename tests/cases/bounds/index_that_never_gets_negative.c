// property: memsafety
// truth: fails
// expect: unknown(W002)
// options: --entry find
// An unsigned index runs round below 0: no object is so large that this would stay inside.
unsigned long find(const int *cells, unsigned long n, int wanted)
{
    unsigned long i = n - 1;
    while (i >= 0 && cells[i] != wanted) i--;
    return i;
}
