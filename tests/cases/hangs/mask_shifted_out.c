// property: termination
// truth: fails
// expect: refuted
// No bit is set, and the mask is shifted out.
#include <stdint.h>
#include <stdio.h>

static unsigned clz(uint8_t byte)
{
    unsigned n = 0;
    uint8_t mask = 0x80;
    while (!(byte & mask)) {
        mask >>= 1;
        n++;
    }
    return n;
}

int main(void)
{
    int c = getchar();
    if (c == EOF)
        return 1;
    printf("%u\n", clz((uint8_t)c));
    return 0;
}
