// property: memsafety
// truth: holds
// expect: proved
// why: A copy of a text changes nothing that leads to where it is kept.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct entry {
    char *name;
};
int main(void)
{
    struct entry *table[32];
    char word[32];
    int k;
    memset(table, 0, sizeof table);
    while (scanf("%d %31s", &k, word) == 2) {
        if (k < 0 || k >= 32 || table[k]) {
            continue;
        }
        table[k] = malloc(sizeof **table);
        if (!table[k]) {
            break;
        }
        table[k]->name = strdup(word);
        if (!table[k]->name) {
            free(table[k]);
            table[k] = NULL;
            break;
        }
    }
    for (int i = 0; i < 32; i++) {
        if (table[i]) {
            free(table[i]->name);
            free(table[i]);
        }
    }
    return 0;
}
