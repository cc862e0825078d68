// property: termination
// truth: fails
// expect: refuted
// options: --entry find
// Where the value fits, the loop does not go on to the next node.
struct node {
    int value;
    struct node *next;
};

int find(struct node *list)
{
    while (list) {
        if (list->value == 3)
            continue;
        list = list->next;
    }
    return 0;
}
