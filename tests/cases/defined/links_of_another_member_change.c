// property: termination
// truth: holds
// expect: proved
// options: --entry prune
// Links of one member change while those of another are followed.
struct node {
    struct node *left, *right, *up;
};

void prune(struct node *node, struct node *spare)
{
    while (node->up && node != spare) {
        node->right = spare;
        node = node->up;
        if (node->left == spare)
            node->left = node->right;
    }
}
