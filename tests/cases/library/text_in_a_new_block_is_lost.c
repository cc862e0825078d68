// property: memsafety
// truth: fails
// expect: unknown(W010)
#define _GNU_SOURCE
#include <stdio.h>

int main(void)
{
    char *text;
    asprintf(&text, "one hundred");
    text = 0;
    return 0;
}
