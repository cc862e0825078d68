// property: termination
// truth: fails
// expect: refuted
// options: --entry find
// An item that is to be skipped is looked at again and again.
struct item { struct item *next; int key; };

const struct item *find(const struct item *list, int key)
{
    while (list && list->key != key) {
        if (list->key < 0)
            continue;
        list = list->next;
    }
    return list;
}
