// property: memsafety
// truth: holds
// expect: proved
// Each node holds a name whose last byte is zero: where the name ends is asked of a node that is
// one of many, and may be the last one.
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
    char name[32];
    while (scanf("%31s", name) == 1) {
        if (find(list, name))
            continue;
        struct entry *entry = malloc(sizeof *entry);
        if (!entry)
            break;
        strncpy(entry->name, name, sizeof entry->name - 1);
        entry->name[sizeof entry->name - 1] = '\0';
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
