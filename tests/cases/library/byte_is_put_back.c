// property: termination
// truth: holds
// expect: proved

#include <stdio.h>

int main(void)
{
    if (ungetc('a', stdin) == EOF)
        return 1;
    int byte = getchar();
    while (byte != 'a')
        ;
    return 0;
}
