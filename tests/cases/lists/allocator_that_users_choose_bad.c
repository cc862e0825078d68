// property: memsafety
// truth: fails
// expect: refuted
// The node is given back before its text.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

static void *(*take)(size_t) = malloc;
static void (*give)(void *) = free;

struct line {
    struct line *next;
    char *text;
};

int main(void) {
    struct line *lines = 0;
    while (__VERIFIER_nondet_int()) {
        struct line *line = take(sizeof *line);
        line->text = take(10);
        line->next = lines;
        lines = line;
    }
    while (lines) {
        struct line *next = lines->next;
        give(lines);
        give(lines->text);
        lines = next;
    }
    return 0;
}
