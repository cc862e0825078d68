// property: memsafety
// truth: holds
// expect: unknown(W003)
// why: where a line has met the end of the file, there is no byte behind it
#include <stdio.h>

int main(void) {
    char line[8];
    int rows[1] = { 0 };
    while (fgets(line, sizeof line, stdin) != NULL)
        ;
    return getchar() == EOF ? rows[0] : rows[1];
}
