// property: termination
// truth: fails
// expect: refuted
// Nothing is done where the key is there already.
#include <stdio.h>
#include <stdlib.h>

struct tree { int key; struct tree *left, *right; };

static struct tree *insert(struct tree *root, int key)
{
    struct tree *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        exit(1);
    fresh->key = key;
    if (!root)
        return fresh;
    struct tree *at = root;
    for (;;) {
        if (key < at->key) {
            if (!at->left) {
                at->left = fresh;
                break;
            }
            at = at->left;
        } else if (key > at->key) {
            if (!at->right) {
                at->right = fresh;
                break;
            }
            at = at->right;
        } else {
            continue;
        }
    }
    return root;
}

int main(void)
{
    struct tree *root = NULL;
    int key;
    for (int i = 0; i < 5 && scanf("%d", &key) == 1; i++)
        root = insert(root, key);
    return root != NULL && root->key > 3;
}
