// property: termination
// truth: fails
// expect: unknown(W036)
// options: --entry walk
// The member that is written is the link that is followed.
struct node {
    unsigned char seen;
    struct node *next;
};

void walk(struct node *list)
{
    if (list)
        list->next = list;
    while (list) {
        list->seen = 1;
        list = list->next;
    }
}
