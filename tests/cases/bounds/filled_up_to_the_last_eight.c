// property: memsafety
// truth: fails
// expect: unknown(W036)
// options: --entry clear
// Where there are less than eight bytes, no text is as long as what is filled.
#include <string.h>

void clear(char *text, size_t n)
{
    memset(text, 0, n - 8);
}
