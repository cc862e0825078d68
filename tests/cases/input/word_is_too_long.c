// property: memsafety
// truth: fails
// expect: refuted

#include <stdio.h>

int main(void)
{
    char word[8];
    if (scanf("%8s", word) == 1)
        puts(word);
    return 0;
}
