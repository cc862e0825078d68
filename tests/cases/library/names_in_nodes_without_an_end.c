// property: memsafety
// truth: fails
// expect: unknown(W003)
// A name that fills its node has no zero there: `puts` reads on, into the link and beyond.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry { char name[32]; struct entry *next; };

static struct entry *find(struct entry *list, const char *name)
{
    while (list && strcmp(list->name, name) != 0)
        list = list->next;
    return list;
}

int main(void)
{
    struct entry *list = NULL;
    char name[40];
    while (scanf("%39s", name) == 1) {
        if (find(list, name))
            continue;
        struct entry *entry = malloc(sizeof *entry);
        if (!entry)
            break;
        strncpy(entry->name, name, sizeof entry->name);
        entry->next = list;
        list = entry;
    }
    while (list) {
        struct entry *next = list->next;
        puts(list->name);
        free(list);
        list = next;
    }
    return 0;
}
