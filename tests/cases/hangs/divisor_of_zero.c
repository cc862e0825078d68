// property: termination
// truth: fails
// expect: refuted
// Taking away zero changes nothing.
#include <stdio.h>

struct fraction {
    unsigned above, below;
};

static unsigned common_divisor(unsigned a, unsigned b)
{
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
