// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry walk
// The bytes of a link are written one by one.
struct node {
    struct node *next;
};

void walk(struct node *list)
{
    struct node *self = list;
    const char *from = (const char *)&self;
    char *to = (char *)&list->next;
    for (unsigned i = 0; i < sizeof self; i++)
        to[i] = from[i];
    while (list)
        list = list->next;
}
