// property: termination
// truth: fails
// expect: refuted
// From an odd place no even one is met.
#include <stdio.h>

#define SIZE 32
struct ring { unsigned char data[SIZE]; unsigned head, tail; };

static unsigned checksum(struct ring *r)
{
    unsigned sum = 0;
    while (r->head != r->tail) {
        sum = sum * 31 + r->data[r->head];
        r->head = (r->head + 2) % SIZE;
    }
    return sum;
}

int main(void)
{
    struct ring r = { { 0 }, 0, 0 };
    unsigned head, tail;
    if (scanf("%u %u", &head, &tail) != 2)
        return 1;
    r.head = head % SIZE;
    r.tail = tail % SIZE;
    printf("%u\n", checksum(&r));
    return 0;
}
