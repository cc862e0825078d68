// property: termination
// truth: holds
// expect: proved
// The loop ends at the bound.
#include <stdio.h>

struct level { signed char now; int target; };

static int rise(struct level *l)
{
    unsigned steps = 0;
    while (l->now < l->target) {
        if (l->now < 100)
            l->now++;
        else
            break;
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
