// property: termination
// truth: fails
// expect: unknown(W030)
// The first part of a text is found again and again.
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[128];
    if (!fgets(line, sizeof line, stdin))
        return 0;
    for (char *part = strtok(line, " "); part; part = strtok(line, " "))
        puts(part);
    return 0;
}
