// property: memsafety
// truth: holds
// expect: proved
// One cursor stands in a field of a drawer first, then in fields of its papers: drawers and
// papers are different kinds of cells all the same.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct paper {
    struct paper *below;
};

struct drawer {
    struct paper *top;
    struct drawer *next;
};

static struct paper *fresh(void) {
    struct paper *paper = malloc(sizeof *paper);
    paper->below = NULL;
    return paper;
}

/* Puts all papers of one pile behind those of the other. */
static void append(struct drawer *drawer, struct paper *pile) {
    struct paper **end = &drawer->top;
    while (*end != NULL)
        end = &(*end)->below;
    *end = pile;
}

int main(void) {
    struct drawer *all = NULL;
    while (__VERIFIER_nondet_int()) {
        struct drawer *drawer = malloc(sizeof *drawer);
        drawer->top = fresh();
        drawer->next = all;
        all = drawer;
    }
    /* The first drawer takes what is in the others. */
    while (all != NULL && all->next != NULL) {
        struct drawer *second = all->next;
        append(all, second->top);
        all->next = second->next;
        free(second);
    }
    while (all != NULL) {
        struct drawer *next = all->next;
        for (struct paper *paper = all->top; paper != NULL;) {
            struct paper *below = paper->below;
            free(paper);
            paper = below;
        }
        free(all);
        all = next;
    }
    return 0;
}
