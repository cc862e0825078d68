// property: memsafety
// truth: fails
// expect: unknown(W002)
// options: --entry total
// The function itself clears the element that it then follows.
struct entry {
    int weight;
    struct entry *next;
};

int total(struct entry **entries, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        entries[n - 1] = 0;
        sum += entries[i]->weight;
    }
    return sum;
}
