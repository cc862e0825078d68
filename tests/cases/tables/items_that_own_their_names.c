// property: memsafety
// truth: holds
// expect: proved
// why: each item owns its name
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { int number; char *name; };

int main(int argc, char **argv) {
    size_t n = 0;
    struct item **items = malloc((size_t)argc * sizeof *items);
    if (items == NULL)
        return 1;
    for (int i = 1; i < argc; i++) {
        struct item *item = malloc(sizeof *item);
        if (item == NULL)
            break;
        item->number = i;
        item->name = strdup(argv[i]);
        if (item->name == NULL) {
            free(item);
            break;
        }
        items[n++] = item;
    }
    for (size_t i = 0; i < n; i++) {
        printf("%d %s\n", items[i]->number, items[i]->name);
        free(items[i]->name);
        free(items[i]);
    }
    free(items);
    return 0;
}
