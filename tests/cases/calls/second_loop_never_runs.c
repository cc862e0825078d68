// property: termination
// truth: holds
// expect: unknown(W036)
// options: --entry both --strict
//
// Behind the first loop the list is empty, so no call goes round the second one: a proof for these
// calls says nothing of it.

struct node {
    struct node *next;
};

int both(struct node *list, int n)
{
    while (list)
        list = list->next;
    while (n > 0 && list)
        n--;
    return n;
}
