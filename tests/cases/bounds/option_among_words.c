// property: memsafety
// truth: holds
// expect: proved
// options: --entry option
// Words are compared with a text of the program, which ends where its last byte is.
#include <string.h>

int option(int n, char **words)
{
    for (int i = 1; i < n; i++) {
        if (strcmp(words[i], "--help") == 0) return i;
    }
    return 0;
}
