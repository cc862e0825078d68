// property: memsafety
// truth: fails
// expect: refuted
#define _GNU_SOURCE
#include <stdio.h>

int main(void)
{
    char *text;
    if (asprintf(&text, "one hundred %%") < 0)
        return 1;
    text = 0;
    return 0;
}
