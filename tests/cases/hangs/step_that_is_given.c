// property: termination
// truth: fails
// expect: refuted
// The step that is given may be zero.
#include <stdio.h>

struct range {
    int from, to, step;
};

static int read_range(struct range *range)
{
    if (scanf("%d %d %d", &range->from, &range->to, &range->step) != 3)
        return 0;
    return range->step >= 0 && range->to < 100000;
}

static long sum(const struct range *range)
{
    long sum = 0;
    for (int x = range->from; x < range->to; x += range->step)
        if (x % 3 == 0 && sum < 1000000)
            sum += x;
    return sum;
}

int main(void)
{
    struct range range;
    if (!read_range(&range)) {
        fprintf(stderr, "a range is: from to step\n");
        return 1;
    }
    printf("%ld\n", sum(&range));
    return 0;
}
