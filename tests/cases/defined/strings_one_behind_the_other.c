// property: termination
// truth: holds
// expect: proved
// options: --entry count
// Strings stand one behind the other, and an empty one is the last: each ends in memory.
#include <string.h>

int count(const char *all)
{
    int n = 0;
    for (const char *one = all; *one; one += strlen(one) + 1)
        n++;
    return n;
}
