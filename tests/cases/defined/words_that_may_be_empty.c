// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry count
// The inner loop looks for letters where a digit was seen.
#include <ctype.h>

int count(const char *text)
{
    int n = 0;
    while (*text) {
        if (isdigit((unsigned char)*text)) {
            while (isalpha((unsigned char)*text))
                text++;
            n = 1;
        } else {
            text++;
        }
    }
    return n;
}
