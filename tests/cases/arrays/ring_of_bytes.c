// property: memsafety
// truth: holds
// expect: proved
// The places of a ring stay inside of its bytes, which stand before them in one structure.
#include <stdio.h>

struct ring {
    unsigned char bytes[16];
    unsigned first, last, n_held;
};

static int push(struct ring *ring, int byte) {
    if (ring->n_held == 16)
        return 0;
    ring->bytes[ring->last] = (unsigned char)byte;
    ring->last++;
    if (ring->last >= 16)
        ring->last = 0;
    ring->n_held++;
    return 1;
}

static int pop(struct ring *ring, unsigned char *byte) {
    if (ring->n_held == 0)
        return 0;
    *byte = ring->bytes[ring->first];
    ring->first = (ring->first + 1) % 16;
    ring->n_held--;
    return 1;
}

int main(void) {
    struct ring ring = { .n_held = 0 };
    unsigned char byte;
    int c;
    while ((c = getchar()) != EOF)
        if (!push(&ring, c)) {
            while (pop(&ring, &byte))
                putchar(byte);
            push(&ring, c);
        }
    return 0;
}
