// property: memsafety
// truth: fails
// expect: unknown(W002)
// options: --entry sum
// The element behind the one that was tested may be null.
struct item {
    int value;
};

int sum(struct item **items, int n)
{
    int all = 0;
    for (int i = 0; i + 1 < n;)
        if (items[i++])
            all ^= items[i]->value;
    return all;
}
