// property: termination
// truth: fails
// expect: refuted
// In a table without holes, a key that is missing is looked for for ever.
#include <stdio.h>

#define PLACES 4

struct table {
    int keys[PLACES];
};

static unsigned place_of(const struct table *table, int key)
{
    unsigned place = (unsigned)key % PLACES;
    while (table->keys[place] != 0 && table->keys[place] != key)
        place = (place + 1) % PLACES;
    return place;
}

static void insert(struct table *table, int key)
{
    unsigned place = place_of(table, key);
    table->keys[place] = key;
}

int main(void)
{
    struct table table = { { 0 } };
    int key;
    while (scanf("%d", &key) == 1)
        if (key > 0)
            insert(&table, key);
    printf("%d\n", table.keys[0]);
    return 0;
}
