// property: termination
// truth: holds
// expect: proved
// options: --entry find
// An item that is to be skipped is one step, too.
struct item { struct item *next; int key; };

const struct item *find(const struct item *list, int key)
{
    while (list && (list->key < 0 || list->key != key))
        list = list->next;
    return list;
}
