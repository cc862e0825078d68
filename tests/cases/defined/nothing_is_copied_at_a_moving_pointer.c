// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry sum
// Where `n` is 0 no byte is touched, and nothing holds the pointer back.
#include <string.h>

unsigned sum(const unsigned char *from, unsigned n)
{
    unsigned all = 0, one = 0;
    for (;;) {
        memcpy(&one, from, n & 3);
        all += one;
        from++;
    }
    return all;
}
