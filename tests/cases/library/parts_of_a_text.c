// property: termination
// truth: holds
// expect: proved
// A text has finitely many parts, whatever is done with them.
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[128];
    while (fgets(line, sizeof line, stdin)) {
        char *part = strtok(line, " ");
        while (part) {
            printf("%s\n", part);
            part = strtok(0, " ");
        }
    }
    return 0;
}
