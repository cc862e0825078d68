// property: memsafety
// truth: fails
// expect: refuted
#define _GNU_SOURCE
#include <stdio.h>

int main(void)
{
    char *text;
    asprintf(&text, "one hundred");
    text = 0;
    return 0;
}
