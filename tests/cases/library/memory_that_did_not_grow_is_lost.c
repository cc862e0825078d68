// property: memsafety
// truth: fails
// expect: refuted
// options: --malloc-may-fail

#include <stdlib.h>

int main(void)
{
    char *text = malloc(4);
    if (!text)
        return 1;
    text = realloc(text, 8);
    free(text);
    return 0;
}
