// property: termination
// truth: fails
// expect: refuted
// This keeps the lowest bit and clears all others.
#include <stdint.h>
#include <stdio.h>

struct bitmap {
    uint32_t words[4];
};

static int bits_of(uint32_t word)
{
    int count = 0;
    while (word != 0) {
        word &= -word;
        if (count < 32)
            count++;
    }
    return count;
}

static int bits(const struct bitmap *bitmap)
{
    int count = 0;
    for (int i = 0; i < 4; i++)
        count += bits_of(bitmap->words[i]);
    return count;
}

int main(void)
{
    struct bitmap bitmap = { { 0, 0, 0, 0 } };
    int bit;
    while (scanf("%d", &bit) == 1)
        if (bit >= 0 && bit < 128)
            bitmap.words[bit / 32] |= (uint32_t)1 << (bit % 32);
    printf("%d\n", bits(&bitmap));
    return 0;
}
