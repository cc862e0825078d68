// property: memsafety
// truth: holds
// expect: proved
// options: --entry copy
// What is copied is no part of what it is copied to: that is for the callers.
#include <string.h>

void copy(int *to, const int *from, int n)
{
    memcpy(to, from, n * sizeof *to);
    if (n > 0)
        to[0] = n;
}
