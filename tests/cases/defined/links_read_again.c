// property: termination
// truth: holds
// expect: proved
// options: --entry unhook
// What is compared with null is read for that, and read again to go on: here as a pointer to the
// link.
struct node {
    struct node *next;
    int key;
};

struct table {
    struct node *chains[16];
};

void unhook(struct table *table, int key)
{
    struct node **at = &table->chains[key & 15];
    while (*at && (*at)->key != key)
        at = &(*at)->next;
    if (*at)
        *at = (*at)->next;
}
