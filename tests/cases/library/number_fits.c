// property: memsafety
// truth: holds
// expect: proved

#include <stdio.h>

int main(void)
{
    char text[12];
    int number = 0;
    if (scanf("%d", &number) == 1)
        sprintf(text, "%d", number);
    return 0;
}
