// property: termination
// truth: holds
// expect: proved
// Both cursors move.
#include <stdio.h>

struct pairing { int a[12], b[12]; int na, nb; };

static unsigned common(const struct pairing *p)
{
    int i = 0, j = 0;
    unsigned n = 0;
    while (i < p->na && j < p->nb) {
        if (p->a[i] < p->b[j])
            i++;
        else if (p->a[i] > p->b[j])
            j++;
        else {
            n++;
            i++;
            j++;
        }
    }
    return n;
}

static int read_all(int *into)
{
    int n = 0;
    while (n < 12 && scanf("%d", into + n) == 1)
        n++;
    return n;
}

int main(void)
{
    struct pairing p;
    p.na = read_all(p.a);
    p.nb = read_all(p.b);
    printf("%d\n", common(&p));
    return 0;
}
