// property: memsafety
// truth: holds
// expect: proved
// options: --entry attach
// The place of a child is chosen by a conditional expression, whose value has a type, too.
struct node {
    unsigned long key;
    struct node *left;
    struct node *right;
};

void attach(struct node *parent, struct node *child)
{
    struct node **place = child->key < parent->key ? &parent->left : &parent->right;
    *place = child;
}
