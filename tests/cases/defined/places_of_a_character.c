// property: termination
// truth: holds
// expect: proved
// options: --entry count
// What `strchr` finds is no place before the one that it looks from.
#include <string.h>

int count(const char *text, char wanted)
{
    int n = 0;
    while ((text = strchr(text, wanted)) != NULL) {
        n++;
        text++;
    }
    return n;
}
