// property: termination
// truth: fails
// expect: unknown(W036)
// options: --entry skip
// What is given up may be changed: the next node may lead back from then on.
struct node {
    struct node *next;
    int value;
};

extern void node_free(struct node *node);

void skip(struct node *list)
{
    while (list) {
        node_free(list->next);
        list = list->next;
    }
}
