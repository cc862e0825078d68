// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry walk
// The function itself makes the ring that it walks along.
struct node {
    struct node *next;
};

void walk(struct node *list)
{
    list->next = list;
    while (list)
        list = list->next;
}
