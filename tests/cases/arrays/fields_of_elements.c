// property: memsafety
// truth: holds
// expect: proved
// why: the key of element k is k, or 0 where none was written
#include <stdlib.h>
int input(void);

struct item { int key, uses; };

int main(void) {
    int n = input();
    if (n < 1 || n > 500)
        return 0;
    struct item *items = calloc(n, sizeof *items);
    if (!items)
        return 1;
    for (int i = 0; i < n; i++) {
        items[i].key = i;
        items[i].uses = 2;
    }
    int k = input();
    if (k >= 0 && k < n) {
        int other = items[k].key;
        items[other].uses = 1;
    }
    free(items);
    return 0;
}
