// property: memsafety
// truth: fails
// expect: refuted
// `memcmp` may read all bytes of both blocks, whichever differs first.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *word = malloc(2);
    if (!word)
        return 0;
    word[0] = 'x';
    word[1] = 'y';
    int differs = memcmp(word, "abcdef", 6);
    free(word);
    return differs != 0;
}
