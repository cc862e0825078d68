// property: memsafety
// truth: fails
// expect: refuted
// As `first_knows_last.c`, but the first part does not hold itself when it is alone.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct thing {
    struct thing *after;
    struct thing *before;
    struct thing *parts;
    int kind;
};

static void drop(struct thing *thing) {
    while (thing) {
        struct thing *after = thing->after;
        if (thing->parts) {
            drop(thing->parts);
        }
        free(thing);
        thing = after;
    }
}

static void add(struct thing *whole, struct thing *part) {
    struct thing *first = whole->parts;
    if (!first) {
        whole->parts = part;
        return;
    }
    part->before = first->before;
    first->before->after = part;
    first->before = part;
}

int main(void) {
    struct thing *whole = calloc(1, sizeof *whole);
    if (!whole) {
        return 1;
    }
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        struct thing *part = calloc(1, sizeof *part);
        if (part) {
            part->kind = i & 7;
            add(whole, part);
        }
    }
    drop(whole);
    return 0;
}
