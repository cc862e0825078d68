// property: termination
// truth: holds
// expect: proved
// options: --entry count
// The pointer comes to the end, wherever that is in the same array.
int count(const char *from, const char *end)
{
    int n = 0;
    for (; from != end; from++)
        n ^= 1;
    return n;
}
