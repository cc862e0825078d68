// property: termination
// truth: holds
// expect: proved
// Zero is dealt with before.
#include <stdio.h>

struct fraction {
    unsigned above, below;
};

static unsigned common_divisor(unsigned a, unsigned b)
{
    if (a == 0 || b == 0)
        return 1;
    while (a != b) {
        if (a > b)
            a -= b;
        else
            b -= a;
    }
    return a;
}

static void reduce(struct fraction *fraction)
{
    unsigned divisor = common_divisor(fraction->above, fraction->below);
    if (divisor > 1) {
        fraction->above /= divisor;
        fraction->below /= divisor;
    }
}

int main(void)
{
    struct fraction fraction;
    if (scanf("%u/%u", &fraction.above, &fraction.below) != 2)
        return 1;
    reduce(&fraction);
    printf("%u/%u\n", fraction.above, fraction.below);
    return 0;
}
