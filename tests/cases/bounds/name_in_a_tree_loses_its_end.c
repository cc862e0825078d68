// property: memsafety
// truth: fails
// expect: unknown(W036)
// options: --entry shout
// A name may be another one's end: the byte that is written ends it.
#include <string.h>

struct entry {
    struct entry *next;
    char *name;
};

unsigned long shout(struct entry *list)
{
    unsigned long most = 0;
    for (; list; list = list->next) {
        list->name[strlen(list->name)] = '!';
        if (list->next && strlen(list->next->name) > most)
            most = strlen(list->next->name);
    }
    return most;
}
