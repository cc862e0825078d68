// property: memsafety
// truth: holds
// expect: proved
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    char *text;
    if (asprintf(&text, "%d arguments", argc) < 0)
        return 1;
    text[9] = '.';
    free(text);
    return 0;
}
