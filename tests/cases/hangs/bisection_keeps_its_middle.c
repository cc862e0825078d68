// property: termination
// truth: fails
// expect: refuted
// options: --entry find
// Two places are left, and the middle is the first of them again.
int find(const int *sorted, int n, int key)
{
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (sorted[middle] == key)
            return middle;
        if (sorted[middle] < key)
            low = middle;
        else
            high = middle;
    }
    return -1;
}
