// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry walk
// What is copied over a node may link it to itself.
struct node {
    struct node *next;
};

void walk(struct node *list)
{
    struct node ring = { list };
    *list = ring;
    while (list)
        list = list->next;
}
