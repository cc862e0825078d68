// property: termination
// truth: holds
// expect: proved
// options: --entry same
// Recursion comes to an end in trees whose nodes count their children.
struct tree {
    int value;
    int n;
    struct tree **children;
};

int same(const struct tree *one, const struct tree *other)
{
    if (one->value != other->value || one->n != other->n)
        return 0;
    for (int i = 0; i < one->n; i++) {
        if (!same(one->children[i], other->children[i]))
            return 0;
    }
    return 1;
}
