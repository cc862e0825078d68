// property: memsafety
// truth: holds
// expect: proved
// What an arm reads is no member of the node that is changed beside it.
#include <stdlib.h>

struct node { struct node *left, *right; };

int main(int argc, char **argv)
{
    (void)argv;
    struct node *root = NULL, **at = &root;
    *at = malloc(sizeof **at);
    if (!*at)
        return 1;
    struct node *none = NULL;
    (*at)->left = (*at)->right = argc > 1 ? none : NULL;
    free(root);
    return 0;
}
