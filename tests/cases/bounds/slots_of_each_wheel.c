// property: memsafety
// truth: holds
// expect: proved
// options: --entry clear
// There are sixteen slots for each wheel.
struct slot {
    long when;
    void *data;
};

struct timer {
    unsigned wheels;
    struct slot *slots;
};

void clear(struct timer *timer)
{
    unsigned all = timer->wheels * 16;
    for (unsigned i = 0; i < all; i++) {
        timer->slots[i].when = -1;
        timer->slots[i].data = 0;
    }
}
