// property: termination
// truth: holds
// expect: proved
// A key that is in the tree ends the search.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *left, *right;
};

static struct node *new_node(int key)
{
    struct node *node = malloc(sizeof *node);
    node->key = key;
    node->left = node->right = NULL;
    return node;
}

static void insert(struct node **root, int key)
{
    struct node **place = root;
    while (*place != NULL) {
        if (key < (*place)->key)
            place = &(*place)->left;
        else if (key > (*place)->key)
            place = &(*place)->right;
        else
            return;
    }
    *place = new_node(key);
}

int main(void)
{
    struct node *root = NULL;
    int key;
    while (scanf("%d", &key) == 1)
        insert(&root, key);
    return root == NULL;
}
