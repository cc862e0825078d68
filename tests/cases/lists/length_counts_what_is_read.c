// property: termination
// truth: holds
// expect: proved
// why: as many nodes as an int says do not let an unsigned length wrap around

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct entry {
    struct entry *before, *after;
    const char *label;
};

struct history {
    struct entry *oldest, *newest;
    unsigned length;
};

static void remember(struct history *history, const char *label)
{
    struct entry *entry = malloc(sizeof *entry);
    if (entry == NULL)
        return;
    entry->label = label;
    entry->after = NULL;
    entry->before = history->newest;
    if (history->length == 0)
        history->oldest = entry;
    else
        history->newest->after = entry;
    history->newest = entry;
    history->length++;
}

int main(void)
{
    struct history history = {NULL, NULL, 0};
    int events = __VERIFIER_nondet_int();
    for (int event = 0; event < events; event++)
        remember(&history, "opened");
    struct entry *entry = history.oldest;
    while (history.length > 0) {
        struct entry *after = entry->after;
        free(entry);
        entry = after;
        history.length--;
    }
    return 0;
}
