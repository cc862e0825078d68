// property: termination
// truth: fails
// expect: refuted
// A step of zero is let through.
#include <stdio.h>
#include <stdlib.h>

struct range { long from, to, step; };

static unsigned long count(const struct range *r)
{
    unsigned long n = 0;
    long x = r->from;
    while (x < r->to) {
        n++;
        x += r->step;
    }
    return n;
}

int main(void)
{
    struct range r;
    if (scanf("%ld %ld %ld", &r.from, &r.to, &r.step) != 3)
        return 1;
    if (r.from < -1000 || r.to > 1000 || r.step > 50)
        return 2;
    if (r.step < 0)
        return 2;
    printf("%lu\n", count(&r));
    return 0;
}
