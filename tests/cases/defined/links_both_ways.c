// property: termination
// truth: holds
// expect: proved
// options: --entry count
// There and back: a walk along the links of each member by themselves comes to an end.
struct node {
    struct node *next, *before;
};

int count(struct node *list)
{
    int n = 0;
    struct node *last = 0;
    for (struct node *at = list; at; at = at->next)
        last = at;
    for (struct node *at = last; at; at = at->before)
        n++;
    return n;
}
