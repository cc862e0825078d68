// property: termination
// truth: holds
// expect: proved
// options: --entry find
// One loop goes along links, and for each of them another one along two names.
#include <string.h>

struct entry {
    const char *name;
    struct entry *next;
};

struct entry *find(struct entry **table, unsigned n, const char *name)
{
    unsigned hash = 5381;
    for (const char *at = name; *at; at++)
        hash = hash * 33 + (unsigned char)*at;
    struct entry *one = table[hash % n];
    while (one && strcmp(one->name, name) != 0)
        one = one->next;
    return one;
}
