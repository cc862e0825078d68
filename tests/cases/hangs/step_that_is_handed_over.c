// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry clear
// A step of 0 never ends: nobody may call it so, and steps of 1 and -1 end.
void clear(int *cells, int n, int step)
{
    for (int i = 0; i < n; i += step)
        cells[i] = 0;
}
