// property: termination
// truth: holds
// expect: proved
// options: --entry count
// The first round of the inner loop finds the digit again that was seen before it.
#include <ctype.h>

int count(const char *text)
{
    int n = 0;
    while (*text) {
        if (isdigit((unsigned char)*text)) {
            while (isdigit((unsigned char)*text))
                text++;
            n++;
        } else {
            text++;
        }
    }
    return n;
}
