// property: termination
// truth: holds
// expect: proved
// The lowest bit goes in each round.
#include <stdio.h>
#include <stdint.h>

static unsigned population(uint32_t word)
{
    unsigned n = 0;
    while (word) {
        word &= word - 1;
        n++;
    }
    return n;
}

int main(void)
{
    unsigned w;
    unsigned total = 0;
    while (scanf("%x", &w) == 1 && total < 100)
        total += population(w);
    printf("%u\n", total);
    return 0;
}
