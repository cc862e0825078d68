// property: memsafety
// truth: fails
// expect: unknown(W036)
// options: --entry drop
// The link of what is taken out is null, and may be followed: the ring may have one node.
struct ring {
    struct ring *prev, *next;
};

void drop(struct ring *head)
{
    struct ring *first = head->next;
    first->prev->next = first->next;
    first->next->prev = first->prev;
    first->next = 0;
    head->next->prev = head;
}
