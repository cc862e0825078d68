// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry walk
// What a function without body does to memory that it may give up is not known.
struct node {
    struct node *next;
};

void release_some(struct node *list);

void walk(struct node *list)
{
    release_some(list);
    while (list)
        list = list->next;
}
