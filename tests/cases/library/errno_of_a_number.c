// property: termination
// truth: holds
// expect: proved

#include <errno.h>
#include <stdlib.h>

int main(void)
{
    errno = 0;
    long number = strtol("12", 0, 10);
    while (errno || number != 12)
        ;
    return 0;
}
