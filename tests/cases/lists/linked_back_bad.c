// property: memsafety
// truth: fails
// expect: refuted
// As `linked_back.c`, but the last one to leave does not move the end of the line: the
// next one is written where it was.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct ticket {
    long number;
    struct ticket *after;
    struct ticket **led_by;
};

struct line {
    struct ticket *front;
    struct ticket **end;
};

static void join(struct line *line, struct ticket *one) {
    one->after = NULL;
    one->led_by = line->end;
    *line->end = one;
    line->end = &one->after;
}

static void leave(struct line *line, struct ticket *one) {
    if (one->after) {
        one->after->led_by = one->led_by;
    }
    *one->led_by = one->after;
    free(one);
}

int main(void) {
    struct line line;
    line.front = NULL;
    line.end = &line.front;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        struct ticket *one = malloc(sizeof *one);
        if (!one) {
            abort();
        }
        one->number = i;
        join(&line, one);
        if (i == 0) {
            leave(&line, one);
        }
    }
    struct ticket *rest;
    for (struct ticket *one = line.front; one; one = rest) {
        rest = one->after;
        if (one->number % 3 == 0) {
            leave(&line, one);
        }
    }
    while (line.front) {
        leave(&line, line.front);
    }
    return 0;
}
