// property: termination
// truth: fails
// expect: refuted
// Of an empty order, the number of the last item is the largest number there is.
#include <stdio.h>

#define MOST_ITEMS 16

struct order {
    unsigned count;
    int cents[MOST_ITEMS];
};

static void read_order(struct order *order)
{
    int cents;
    order->count = 0;
    while (order->count < MOST_ITEMS && scanf("%d", &cents) == 1 && cents > 0)
        order->cents[order->count++] = cents;
}

static int cents_of(const struct order *order, unsigned item)
{
    return item < order->count ? order->cents[item] : 0;
}

static int most_expensive(const struct order *order)
{
    int most = 0;
    for (unsigned i = 0; i <= order->count - 1; i++) {
        if (cents_of(order, i) > most)
            most = cents_of(order, i);
    }
    return most;
}

int main(void)
{
    struct order order;
    read_order(&order);
    printf("%d\n", most_expensive(&order));
    return 0;
}
