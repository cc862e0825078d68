// property: memsafety
// truth: holds
// expect: proved
// why: what is sorted owns what it did
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *lines[100];
static size_t n;

static int order(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

int main(void) {
    char line[80];
    while (n < 100 && fgets(line, sizeof line, stdin) != NULL) {
        lines[n] = strdup(line);
        if (lines[n] == NULL)
            return 1;
        n++;
    }
    qsort(lines, n, sizeof lines[0], order);
    for (size_t i = 0; i < n; i++)
        fputs(lines[i], stdout);
    while (n > 0)
        free(lines[--n]);
    return 0;
}
