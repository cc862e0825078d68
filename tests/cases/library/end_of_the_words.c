// property: termination
// truth: holds
// expect: proved

#include <stdio.h>

int main(void)
{
    char word[20];
    while (scanf("%19s", word) != EOF)
        ;
    return 0;
}
