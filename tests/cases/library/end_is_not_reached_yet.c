// property: termination
// truth: holds
// expect: proved

#include <stdio.h>

int main(void)
{
    while (feof(stdin))
        ;
    return 0;
}
