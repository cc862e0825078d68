// property: memsafety
// truth: holds
// expect: proved
// options: --entry drop
// A function that has no body here gives up what it is handed, and nothing else.
struct node {
    struct node *next;
    char *name;
};

void pool_free(int pool, void *memory);

void drop(struct node *node)
{
    pool_free(3, node->name);
    node->name = 0;
    if (node->next)
        node->next->next = 0;
}
