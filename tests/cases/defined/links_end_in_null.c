// property: termination
// truth: holds
// expect: proved
// options: --entry last
// That links of memory that comes in lead to an end is taken for granted.
struct node {
    int value;
    struct node *next;
};

struct node *last(struct node *list)
{
    while (list && list->next)
        list = list->next;
    return list;
}
