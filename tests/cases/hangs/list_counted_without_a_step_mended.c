// property: termination
// truth: holds
// expect: proved
// options: --entry count
// Each round goes to the next item.
struct item { struct item *next; int weight; };

unsigned count(const struct item *list)
{
    unsigned n = 0;
    for (; list; list = list->next)
        n++;
    return n;
}
