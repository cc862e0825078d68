// property: memsafety
// truth: holds
// expect: proved
// Two halves are merged in a block as large as both.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static void merge(long *all, size_t low, size_t middle, size_t high)
{
    long *merged = malloc((high - low + 1) * sizeof *merged);
    size_t left = low, right = middle + 1, n = 0;
    while (left <= middle && right <= high)
        merged[n++] = all[left] <= all[right] ? all[left++] : all[right++];
    while (left <= middle)
        merged[n++] = all[left++];
    while (right <= high)
        merged[n++] = all[right++];
    for (n = 0; n <= high - low; n++)
        all[low + n] = merged[n];
    free(merged);
}
static void sort(long *all, size_t low, size_t high)
{
    if (low >= high)
        return;
    size_t middle = low + (high - low) / 2;
    sort(all, low, middle);
    sort(all, middle + 1, high);
    merge(all, low, middle, high);
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        return 0;
    long *all = malloc(n * sizeof *all);
    for (int i = 0; i < n; i++)
        all[i] = __VERIFIER_nondet_int();
    sort(all, 0, n - 1);
    free(all);
    return 0;
}
