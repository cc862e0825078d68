// property: termination
// truth: fails
// expect: unknown(W009)
// options: --entry find
// No pointer of an object is as large as the next one: nothing but an address that comes round would
// end the loop.
int find(char *from)
{
    int n = 0;
    while (from < from + 1) {
        from++;
        n ^= 1;
    }
    return n;
}
