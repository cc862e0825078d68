// property: termination
// truth: fails
// expect: unknown(W036)
// options: --entry cut
// That the way back from the next item leads here is for callers to know.
struct item { struct item *next, *prev; };

void cut(struct item *item)
{
    while (item->next)
        item->next->prev->next = 0;
}
