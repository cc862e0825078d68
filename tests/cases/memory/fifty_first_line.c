// property: memsafety
// truth: fails
// expect: refuted
// why: there is room for fifty lines
#include <stdio.h>
#include <stdlib.h>

static int table[50], n;

int main(void) {
    char line[32];
    while (fgets(line, sizeof line, stdin) != NULL)
        table[n++] = atoi(line);
    return n;
}
