// property: termination
// truth: holds
// expect: proved
// One step at a time, it does.
#include <stdio.h>

#define SLOTS 16

struct ring {
    int slots[SLOTS];
    unsigned head, tail;
};

static void put(struct ring *ring, int value)
{
    ring->slots[ring->head] = value;
    ring->head = (ring->head + 1) % SLOTS;
}

static int drain(struct ring *ring)
{
    int most = 0;
    while (ring->tail != ring->head) {
        int value = ring->slots[ring->tail];
        if (value > most)
            most = value;
        ring->tail = (ring->tail + 1) % SLOTS;
    }
    return most;
}

int main(void)
{
    struct ring ring = { { 0 }, 0, 0 };
    int value;
    while (scanf("%d", &value) == 1)
        put(&ring, value);
    printf("%d\n", drain(&ring));
    return 0;
}
