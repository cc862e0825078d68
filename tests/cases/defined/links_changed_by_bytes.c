// property: termination
// truth: fails
// expect: unknown(W036)
// options: --entry stamp
// A byte of a link ahead is written: from then on it may lead back.
struct node {
    struct node *next;
    int value;
};

void stamp(struct node *list, unsigned char value)
{
    while (list) {
        struct node *next = list->next;
        if (next) {
            unsigned char *bytes = (unsigned char *)next;
            bytes[0] = value;
        }
        list = next;
    }
}
