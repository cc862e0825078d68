// property: termination
// truth: holds
// expect: proved
// options: --entry sum
// Only a copy touches the bytes that the pointer passes; the end may not be met.
#include <string.h>

unsigned sum(const unsigned char *from, const unsigned char *end)
{
    unsigned all = 0;
    while (from != end) {
        unsigned one;
        memcpy(&one, from, sizeof one);
        all += one;
        from += sizeof one;
    }
    return all;
}
