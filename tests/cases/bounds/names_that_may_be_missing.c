// property: memsafety
// truth: holds
// expect: proved
// options: --entry find
// Entries without a name are passed over; the others have one that ends.
#include <string.h>

struct option {
    char letter;
    const char *name;
};

struct options {
    int count;
    const struct option *all;
};

int find(const struct options *options, const char *name)
{
    for (int i = 0; i < options->count; i++)
        if (options->all[i].name && strcmp(options->all[i].name, name) == 0)
            return options->all[i].letter;
    return -1;
}
