// property: memsafety
// truth: fails
// expect: unknown(W036)
// options: --entry shift
// The links are copied to where others lie: the key becomes an entry's address, and more is read there.
#include <string.h>
struct entry {
    char *key;
    struct entry *left, *right;
    int color;
};

int shift(struct entry *entry)
{
    if (!entry || !entry->key)
        return 0;
    memmove(&entry->left, &entry->key, 2 * sizeof(void *));
    return entry->left->right->color;
}
