// property: memsafety
// truth: holds
// expect: unknown(W003)
// why: nothing lies behind the newline of a line; runs know that, proofs do not
#include <stdio.h>

int main(void) {
    char line[16];
    int marks[2] = { 0, 0 }, n = 0;
    if (fgets(line, sizeof line, stdin) == NULL)
        return 0;
    for (int i = 0; line[i] != '\0'; i++)
        if (line[i] == '\n')
            marks[n++] = i;
    return marks[0] + marks[1];
}
