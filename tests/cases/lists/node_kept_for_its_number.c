// property: memsafety
// truth: fails
// expect: refuted
// What a node holds decides whether it is freed: by its links alone, the list looks as if it were.
#include <stdio.h>
#include <stdlib.h>

struct term { int factor; struct term *next; };

int main(void)
{
    struct term *terms = NULL;
    int factor;
    while (scanf("%d", &factor) == 1) {
        struct term *term = malloc(sizeof *term);
        if (!term)
            return 1;
        *term = (struct term){ factor, terms };
        terms = term;
    }
    while (terms) {
        struct term *next = terms->next;
        if (terms->factor != 7)
            free(terms);
        terms = next;
    }
    return 0;
}
