// property: memsafety
// truth: holds
// expect: proved
// options: --entry fill
// The greatest number of its type is left out: what counts one further comes round.
void fill(int *at, int first, int last)
{
    for (int i = first; i <= last; i++) at[i] = 0;
}
