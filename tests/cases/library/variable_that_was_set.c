// property: termination
// truth: holds
// expect: proved

#include <stdlib.h>

int main(void)
{
    if (setenv("LEVEL", "3", 1))
        return 1;
    while (!getenv("LEVEL"))
        ;
    return 0;
}
