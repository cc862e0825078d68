// property: memsafety
// truth: holds
// expect: proved
// options: --entry copy
// A loop up to one before the end asks for one element at least, as the last one is written.
void copy(char *to, const char *from, unsigned long n)
{
    unsigned long i;
    for (i = 0; i < n - 1 && from[i]; i++) to[i] = from[i];
    to[i] = 0;
}
