// property: memsafety
// truth: fails
// expect: refuted

#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *word = malloc(3);
    word[0] = 'a';
    word[1] = 0;
    free(word);
    printf("[%s]\n", word);
    return 0;
}
