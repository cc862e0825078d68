// property: memsafety
// truth: holds
// expect: proved
// why: what the caller's variable and the second pile hold meanwhile is never read; it told too many states apart
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct card {
    struct card *below;
};

struct pile {
    struct pile *behind;
    struct card *top;
};

static void riffle(struct card **into, struct card *left, struct card *right) {
    while (left != NULL || right != NULL) {
        struct card **from = &right;
        if (right == NULL || (left != NULL && __VERIFIER_nondet_int()))
            from = &left;
        struct card *card = *from;
        *from = card->below;
        card->below = NULL;
        *into = card;
        into = &card->below;
    }
}

static struct pile *round_of(struct pile *piles) {
    struct pile *done = NULL;
    while (piles != NULL) {
        struct pile *second = piles->behind;
        if (second == NULL) {
            piles->behind = done;
            return piles;
        }
        riffle(&piles->top, piles->top, second->top);
        struct pile *rest = second->behind;
        free(second);
        piles->behind = done;
        done = piles;
        piles = rest;
    }
    return done;
}

static void combine(struct pile **table) {
    struct pile *piles = *table;
    while (piles != NULL && piles->behind != NULL)
        piles = round_of(piles);
    *table = piles;
}

int main(void) {
    struct pile *table = NULL;
    while (__VERIFIER_nondet_int()) {
        struct pile *pile = malloc(sizeof *pile);
        struct card *card = malloc(sizeof *card);
        if (pile == NULL || card == NULL)
            abort();
        card->below = NULL;
        pile->top = card;
        pile->behind = table;
        table = pile;
    }
    combine(&table);
    while (table != NULL) {
        struct pile *behind = table->behind;
        while (table->top != NULL) {
            struct card *card = table->top;
            table->top = card->below;
            free(card);
        }
        free(table);
        table = behind;
    }
    return 0;
}
