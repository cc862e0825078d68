// property: memsafety
// truth: holds
// expect: proved
// What a library allocates through pointers to functions are nodes and texts of it.
#include <stdlib.h>
#include <string.h>

int __VERIFIER_nondet_int(void);

static void *(*take)(size_t) = malloc;
static void (*give)(void *) = free;

struct line {
    struct line *next;
    char *text;
};

static struct line *add(struct line *lines, const char *text) {
    struct line *line = take(sizeof *line);
    line->text = take(strlen(text) + 1);
    strcpy(line->text, text);
    line->next = lines;
    return line;
}

int main(void) {
    struct line *lines = 0;
    while (__VERIFIER_nondet_int()) {
        lines = add(lines, "once more");
    }
    while (lines) {
        struct line *next = lines->next;
        give(lines->text);
        give(lines);
        lines = next;
    }
    return 0;
}
