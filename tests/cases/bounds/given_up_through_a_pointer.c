// property: memsafety
// truth: holds
// expect: proved
// options: --entry rename
// The module calls `free` or what it was told to call: what is handed over is not used any more.
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

void rename(struct node *node, char *name)
{
    release(node->name);
    node->name = name;
}
