// property: memsafety
// truth: fails
// expect: unknown(W020)
// options: --entry last
// What was handed to a function that may give it up is read.
#include <stdlib.h>
struct node {
    struct node *next;
    char *name;
};

static void (*release)(void *) = free;

void release_by(void (*given)(void *))
{
    release = given;
}

char last(struct node *node)
{
    if (!node || !node->name)
        return 0;
    release(node->name);
    return node->name[0];
}
