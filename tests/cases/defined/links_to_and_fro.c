// property: termination
// truth: fails
// expect: unknown(W036)
// options: --entry rock
// Down by one link and up by another: in each tree with two nodes this has no end.
struct node {
    struct node *left, *right, *up;
};

void rock(struct node *node)
{
    while (node) {
        struct node *child = node->left;
        if (!child)
            return;
        if (child->up != node)
            return;
        node = child->up;
    }
}
