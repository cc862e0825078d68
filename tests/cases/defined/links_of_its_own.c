// property: termination
// truth: fails
// expect: refuted
// options: --entry walk
// A ring in memory of the function's own is none that came in.
struct node {
    struct node *next;
};

void walk(void)
{
    struct node one;
    struct node *at = &one;
    one.next = &one;
    while (at)
        at = at->next;
}
