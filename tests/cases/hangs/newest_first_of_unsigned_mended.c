// property: termination
// truth: holds
// expect: proved
// The index is one more than what it stands for, and stops at zero.
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
    for (size_t i = history->used; i > 0; i--)
        if (entry_at(history, i - 1) > least)
            return entry_at(history, i - 1);
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
