// property: termination
// truth: fails
// expect: refuted
// An unsigned index is never below zero.
#include <stddef.h>
#include <stdio.h>

#define MOST_ENTRIES 8

struct history {
    int entries[MOST_ENTRIES];
    size_t used;
};

static void remember(struct history *history, int entry)
{
    if (history->used < MOST_ENTRIES)
        history->entries[history->used++] = entry;
}

static int entry_at(const struct history *history, size_t index)
{
    return index < history->used ? history->entries[index] : 0;
}

static int newest_above(const struct history *history, int least)
{
    for (size_t i = history->used - 1; i >= 0; i--)
        if (entry_at(history, i) > least)
            return entry_at(history, i);
    return 0;
}

int main(void)
{
    struct history history = { .used = 0 };
    int entry;
    while (scanf("%d", &entry) == 1)
        remember(&history, entry);
    printf("%d\n", newest_above(&history, 100));
    return 0;
}
