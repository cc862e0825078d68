// property: termination
// truth: fails
// expect: unknown(W036)
// options: --entry drop
// What is handed is where a pointer lies: what that leads to may be given up, and lead elsewhere.
struct node {
    struct node *next;
    int value;
};

extern void node_release(struct node **node);

void drop(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        node_release(&list->next);
        list = next;
    }
}
