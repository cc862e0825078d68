// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry walk
// No run that C defines leaves the loop, whatever the links lead to.
struct node {
    struct node *next;
};

void walk(struct node *list)
{
    if (!list)
        return;
    for (;;)
        list = list->next;
}
