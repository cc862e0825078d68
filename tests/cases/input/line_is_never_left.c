// property: termination
// truth: fails
// expect: refuted

#include <stdio.h>

/* A line need not begin with a digit. */
int main(void)
{
    char line[80];
    const char *cursor = line;
    if (fgets(line, sizeof line, stdin))
        while (*cursor != '\n')
            if (*cursor >= '0' && *cursor <= '9')
                cursor++;
    return 0;
}
