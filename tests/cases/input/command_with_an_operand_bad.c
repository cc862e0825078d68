// property: memsafety
// truth: fails
// expect: refuted
// why: what follows the command is longer than the buffer that it is copied to
#include <stdio.h>
#include <string.h>

int main(void)
{
    char id[8] = "", line[80];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (strcmp(line, "bye") == 0)
            break;
        if (strncmp(line, "id ", 3) == 0)
            strcpy(id, line + 3);
    }
    return id[0];
}
