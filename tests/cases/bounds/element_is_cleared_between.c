// property: memsafety
// truth: fails
// expect: unknown(W002)
// options: --entry sum
// The element that was tested may be the one that is cleared.
struct item {
    int value;
};

int sum(struct item **items, int n, int k)
{
    int all = 0;
    if (k < 0 || k >= n)
        return 0;
    for (int i = 0; i < n; i++) {
        if (items[i]) {
            items[k] = 0;
            all ^= items[i]->value;
        }
    }
    return all;
}
