// property: termination
// truth: holds
// expect: proved
// options: --entry visit
// Recursion follows all links of a tree.
struct tree {
    int n;
    struct tree **children;
};

int visit(const struct tree *tree)
{
    int n = 1;
    if (!tree)
        return 0;
    for (int i = 0; i < tree->n; i++)
        n += visit(tree->children[i]);
    return n;
}
