// property: memsafety
// truth: fails
// expect: unknown(W003)
// An error in the middle of the second line leaves some of it, and no zero behind that.
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[8];
    memset(line, '#', sizeof line);
    if (!fgets(line, sizeof line, stdin))
        return 0;
    fgets(line, sizeof line, stdin);
    return strlen(line) > 7;
}
