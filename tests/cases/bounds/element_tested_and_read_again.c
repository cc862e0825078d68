// property: memsafety
// truth: holds
// expect: proved
// options: --entry sum
// The element that is followed is the one that was tested.
struct item {
    int value;
};

int sum(struct item **items, int n)
{
    int all = 0;
    for (int i = 0; i < n; i++)
        if (items[i])
            all ^= items[i]->value;
    return all;
}
