// property: termination
// truth: holds
// expect: proved
// options: --entry reverse
// A walk that changes the links behind itself: what lies ahead is as it was.
struct node {
    int value;
    struct node *next;
};

struct node *reverse(struct node *list)
{
    struct node *done = 0;
    while (list) {
        struct node *next = list->next;
        list->next = done;
        done = list;
        list = next;
    }
    return done;
}
