// property: ltl
// ltl: G(removing == 1 -> F removing == 0)
// truth: holds
// expect: proved
#include <stdlib.h>

int nondet(void);
struct item { struct item *next, *previous; };
int removing;

int main(void) {
    struct item *first = 0;
    int n = nondet();
    for (int i = 0; i < n; i++) {
        struct item *fresh = malloc(sizeof *fresh);
        fresh->next = first;
        fresh->previous = 0;
        if (first)
            first->previous = fresh;
        first = fresh;
    }
    removing = 1;
    while (first) {
        struct item *next = first->next;
        if (next)
            next->previous = 0;
        free(first);
        first = next;
    }
    removing = 0;
    return 0;
}
