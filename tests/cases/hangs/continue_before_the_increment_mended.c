// property: termination
// truth: holds
// expect: proved
// The index goes on also where an item is skipped.
#include <stdio.h>

struct item {
    int price;
    int is_hidden;
};

struct shop {
    struct item items[12];
    int n_items;
};

static int cheapest(const struct shop *shop)
{
    int best = 1000000;
    int i = 0;
    while (i < shop->n_items) {
        const struct item *item = &shop->items[i];
        if (item->is_hidden)
        {
            i++;
            continue;
        }
        if (item->price < best)
            best = item->price;
        i++;
    }
    return best;
}

int main(void)
{
    struct shop shop = { .n_items = 0 };
    int price, is_hidden;
    while (shop.n_items < 12 && scanf("%d %d", &price, &is_hidden) == 2) {
        shop.items[shop.n_items].price = price;
        shop.items[shop.n_items].is_hidden = is_hidden;
        shop.n_items++;
    }
    printf("%d\n", cheapest(&shop));
    return 0;
}
