// property: termination
// truth: holds
// expect: proved
// Terms stand by falling powers; those that cancel out leave the list. However the powers compare,
// the walk goes on along the list.
#include <stdio.h>
#include <stdlib.h>

struct term { int factor, power; struct term *next; };

static void add(struct term **at, int factor, int power)
{
    while (*at && (*at)->power > power)
        at = &(*at)->next;
    if (*at && (*at)->power == power) {
        struct term *term = *at;
        term->factor += factor;
        if (term->factor == 0) {
            *at = term->next;
            free(term);
        }
        return;
    }
    struct term *term = malloc(sizeof *term);
    if (!term)
        exit(1);
    *term = (struct term){ factor, power, *at };
    *at = term;
}

int main(void)
{
    struct term *one = NULL, *other = NULL, *both = NULL;
    int factor, power;
    while (scanf("%d %d", &factor, &power) == 2 && power >= 0)
        add(&one, factor % 100, power % 100);
    while (scanf("%d %d", &factor, &power) == 2 && power >= 0)
        add(&other, factor % 100, power % 100);
    for (const struct term *left = one; left; left = left->next)
        for (const struct term *right = other; right; right = right->next)
            add(&both, left->factor * right->factor, left->power + right->power);
    return both == NULL;
}
