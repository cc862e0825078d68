// property: memsafety
// truth: holds
// expect: proved
// options: --entry replace
// A part of a structure is copied to the same part of another one: the links stay of their types.
struct links {
    struct entry *left, *right, *parent;
    int color;
};
struct entry {
    char *key;
    struct links at;
};

void replace(struct entry *by, struct entry *old)
{
    if (!by || !old)
        return;
    by->at = old->at;
    if (by->at.left)
        by->at.left->at.parent = by;
    if (by->at.right)
        by->at.right->at.parent = by;
}
