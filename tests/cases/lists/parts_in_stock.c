// property: termination
// truth: holds
// expect: proved
// A list of nodes that own blocks and hold names: it is built, searched, cut and freed. First attempts
// have too few steps for all of that together.
#include <stdlib.h>
#include <string.h>

struct part {
    struct part *next;
    char name[16];
    int count;
    int *history;
};

static struct part *parts;

static struct part *make(const char *name, int count)
{
    struct part *part = malloc(sizeof *part);
    if (!part)
        return NULL;
    strncpy(part->name, name, sizeof part->name - 1);
    part->name[sizeof part->name - 1] = '\0';
    part->count = count;
    part->history = malloc(4 * sizeof *part->history);
    if (!part->history) {
        free(part);
        return NULL;
    }
    for (int i = 0; i < 4; i++)
        part->history[i] = count;
    part->next = NULL;
    return part;
}

static struct part *find(const char *name)
{
    for (struct part *part = parts; part; part = part->next)
        if (strcmp(part->name, name) == 0)
            return part;
    return NULL;
}

static void take_out(const char *name)
{
    for (struct part **link = &parts; *link; link = &(*link)->next) {
        struct part *part = *link;
        if (strcmp(part->name, name) == 0) {
            *link = part->next;
            free(part->history);
            free(part);
            return;
        }
    }
}

static void free_all(void)
{
    while (parts) {
        struct part *part = parts;
        parts = part->next;
        free(part->history);
        free(part);
    }
}

int main(void)
{
    static const char *names[] = { "bolt", "nut", "gear", "cog" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct part *part = make(names[i], (int)i * 10);
        if (!part) {
            free_all();
            return 1;
        }
        part->next = parts;
        parts = part;
    }
    if (find("nut"))
        take_out("nut");
    int total = 0;
    for (struct part *part = parts; part; part = part->next)
        total += part->count;
    free_all();
    return total > 100;
}
