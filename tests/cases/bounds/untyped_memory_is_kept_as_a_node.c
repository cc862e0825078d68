// property: memsafety
// truth: holds
// expect: proved
// options: --entry grow
// What a pool returns has no type before it is kept as a node, and is one or null then.
struct node {
    struct node *next;
    int value;
};
struct list {
    struct node *first;
};

void *pool_take(void *pool, unsigned long bytes);

int grow(struct list *list, void *pool, int value)
{
    list->first = pool_take(pool, sizeof(struct node));
    if (!list->first)
        return -1;
    list->first->value = value;
    return 0;
}
