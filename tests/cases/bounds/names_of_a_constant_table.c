// property: memsafety
// truth: fails
// expect: unknown(W003)
// options: --entry longest
// The last entry of the file's own table has no name.
#include <string.h>

struct option {
    const char *name;
    int value;
};

static const struct option table[] = {{"on", 1}, {"off", 0}, {0, -1}};

unsigned long longest(const struct option *more, int n)
{
    unsigned long most = strlen(more->name);
    for (int i = 0; i < n && i < 3; i++)
        if (strlen(table[i].name) > most)
            most = strlen(table[i].name);
    return most;
}
