// property: termination
// truth: holds
// expect: proved
// Each field has some bits.
#include <stdio.h>

struct layout {
    unsigned bits_per_field;
};

static unsigned fields_used(unsigned word, const struct layout *layout)
{
    unsigned used = 0;
    while (word != 0) {
        used++;
        word >>= layout->bits_per_field;
    }
    return used;
}

int main(void)
{
    struct layout layout;
    unsigned word;
    if (scanf("%u %u", &layout.bits_per_field, &word) != 2)
        return 1;
    layout.bits_per_field = layout.bits_per_field % 8 + 1;
    printf("%u fields\n", fields_used(word, &layout));
    return 0;
}
