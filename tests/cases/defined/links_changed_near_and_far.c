// property: termination
// truth: fails
// expect: unknown(W036)
// options: --entry tie
// A link ahead is changed first, and then one far behind: what lies between is not as it was.
struct node {
    struct node *next;
    int value;
};

void tie(struct node *list)
{
    struct node *first = list;
    while (list) {
        struct node *next = list->next;
        if (next) {
            next->next = list;
            first->next = next;
        }
        list = next;
    }
}
