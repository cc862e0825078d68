// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry count
// At the end of the first string there is no way on.
#include <string.h>

int count(const char *all)
{
    int n = 0;
    for (const char *one = all; n < 1000; one += strlen(one))
        n += *one == 'x';
    return n;
}
