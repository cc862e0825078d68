// property: memsafety
// truth: holds
// expect: proved
// Each term of one list meets each of another one, and what comes of it goes into a third. What
// terms hold decides nothing about memory.
#include <stdio.h>
#include <stdlib.h>

struct term { int factor, power; struct term *next; };

static struct term *with_term(struct term *rest, int factor, int power)
{
    struct term *term = malloc(sizeof *term);
    if (!term)
        exit(1);
    term->factor = factor;
    term->power = power;
    term->next = rest;
    return term;
}

static struct term *product(const struct term *one, const struct term *other)
{
    struct term *result = NULL;
    for (const struct term *left = one; left; left = left->next)
        for (const struct term *right = other; right; right = right->next)
            result = with_term(result, left->factor * right->factor, left->power + right->power);
    return result;
}

static void drop(struct term *terms)
{
    while (terms) {
        struct term *next = terms->next;
        free(terms);
        terms = next;
    }
}

int main(void)
{
    struct term *one = NULL, *other = NULL;
    int factor, power;
    while (scanf("%d %d", &factor, &power) == 2 && power >= 0)
        one = with_term(one, factor % 100, power % 100);
    while (scanf("%d %d", &factor, &power) == 2 && power >= 0)
        other = with_term(other, factor % 100, power % 100);
    struct term *both = product(one, other);
    for (const struct term *term = both; term; term = term->next)
        printf("%+dx^%d", term->factor, term->power);
    drop(one);
    drop(other);
    drop(both);
    return 0;
}
