// property: memsafety
// truth: fails
// expect: unknown(W010)
// options: --entry cut
// A link gets null where only its address is known: in a ring it is followed again.
struct node {
    struct node *next;
    int value;
};

void cut(struct node *list, int n)
{
    while (n-- > 0) {
        struct node **at = &list->next;
        list = list->next->next;
        *at = 0;
    }
}
