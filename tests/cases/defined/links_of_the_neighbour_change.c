// property: termination
// truth: fails
// expect: unknown(W036)
// options: --entry hook
// The node that lies beside this one in an array may be the next one, and leads back from then on.
struct node {
    struct node *next;
    int value;
};

void hook(struct node *list)
{
    while (list) {
        list[1].next = list;
        list = list->next;
    }
}
