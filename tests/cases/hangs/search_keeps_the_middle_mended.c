// property: termination
// truth: holds
// expect: proved
// The middle is looked at once.
#include <stdio.h>

struct table {
    int n_keys;
    int keys[64];
};

static int place_of(const struct table *table, int key)
{
    int low = 0, high = table->n_keys;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (table->keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int main(void)
{
    struct table table = { .n_keys = 0 };
    int key;
    while (table.n_keys < 64 && scanf("%d", &key) == 1 && key >= 0)
        table.keys[table.n_keys++] = key;
    if (scanf("%d", &key) == 1)
        printf("%d\n", place_of(&table, key));
    return 0;
}
