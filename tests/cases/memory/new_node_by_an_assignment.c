// property: memsafety
// truth: holds
// expect: proved
// options: --entry push
// The local has no value before it gets the new block, and a failed allocation is no return that
// the precondition leaves out.
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    struct node *back;
    char name[16];
};

static struct node *make(void)
{
    struct node *made;
    if ((made = malloc(sizeof *made)) == NULL) return NULL;
    made->back = NULL;
    made->name[0] = 0;
    return made;
}

struct node *push(struct node *list, const char *name)
{
    struct node *node;
    node = make();
    if (node == NULL) return list;
    strncpy(node->name, name, 15);
    node->name[15] = 0;
    node->next = list;
    node->back = NULL;
    return node;
}
