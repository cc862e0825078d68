// property: memsafety
// truth: holds
// expect: proved

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *join(const char *left, const char *right)
{
    char *both = malloc(strlen(left) + strlen(right) + 2);
    strcpy(both, left);
    strcat(both, "-");
    strcat(both, right);
    return both;
}

int main(void)
{
    char *both = join("one", "two");
    puts(both);
    free(both);
    return 0;
}
