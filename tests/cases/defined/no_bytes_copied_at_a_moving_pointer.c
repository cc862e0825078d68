// property: termination
// truth: fails
// expect: unknown(W036)
// options: --entry sum
// Nothing is copied where `n` is 0, and the pointer stays.
#include <string.h>

unsigned sum(const unsigned char *from, const unsigned char *end, unsigned n)
{
    unsigned all = 0, one = 0;
    while (from != end) {
        memcpy(&one, from, n & 3);
        all += one;
        from += n & 3;
    }
    return all;
}
