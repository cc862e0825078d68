// property: termination
// truth: fails
// expect: refuted
// The level is at its bound, and the target above it.
#include <stdio.h>

struct level { signed char now; int target; };

static int rise(struct level *l)
{
    unsigned steps = 0;
    while (l->now < l->target) {
        if (l->now < 100)
            l->now++;
        steps++;
    }
    return steps != 0;
}

int main(void)
{
    struct level l = { 0, 0 };
    if (scanf("%d", &l.target) != 1)
        return 1;
    return rise(&l);
}
