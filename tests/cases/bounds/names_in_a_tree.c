// property: memsafety
// truth: holds
// expect: proved
// options: --entry find
// Each entry of the tree has a name, which is a string.
#include <string.h>

struct entry {
    struct entry *left, *right;
    char *name;
    int value;
};

int find(const struct entry *tree, const char *name)
{
    while (tree) {
        int order = strcmp(name, tree->name);
        if (order == 0)
            return tree->value;
        tree = order < 0 ? tree->left : tree->right;
    }
    return -1;
}
