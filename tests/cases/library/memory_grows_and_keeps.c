// property: termination
// truth: fails
// expect: refuted

#include <stdlib.h>

/* What was in the block is in the larger one, too. */
int main(void)
{
    char *text = malloc(2);
    text[0] = 'a';
    text[1] = 0;
    text = realloc(text, 100);
    while (text[0] == 'a')
        ;
    free(text);
    return 0;
}
