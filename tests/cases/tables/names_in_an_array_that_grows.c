// property: memsafety
// truth: holds
// expect: proved
// why: what the elements own moves with them into a larger array
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct names { char **all; size_t n, room; };

static int add(struct names *names, const char *name) {
    if (names->n == names->room) {
        size_t room = names->room ? names->room * 2 : 8;
        char **all = realloc(names->all, room * sizeof *all);
        if (all == NULL)
            return -1;
        names->all = all;
        names->room = room;
    }
    char *copy = strdup(name);
    if (copy == NULL)
        return -1;
    names->all[names->n++] = copy;
    return 0;
}

static void drop(struct names *names) {
    for (size_t i = 0; i < names->n; i++)
        free(names->all[i]);
    free(names->all);
}

int main(int argc, char **argv) {
    struct names names = { NULL, 0, 0 };
    for (int i = 1; i < argc; i++)
        if (add(&names, argv[i]) != 0)
            break;
    for (size_t i = 0; i < names.n; i++)
        puts(names.all[i]);
    drop(&names);
    return 0;
}
