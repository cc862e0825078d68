// property: termination
// truth: fails
// expect: unknown(W036)
// options: --entry back
// A walk that changes a link ahead of itself may come back: here, to where it began.
struct node {
    int value;
    struct node *next;
};

void back(struct node *list)
{
    struct node *first = list;
    while (list) {
        struct node *next = list->next;
        if (next && !next->next)
            next->next = first;
        list = next;
    }
}
