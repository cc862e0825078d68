// property: termination
// truth: holds
// expect: proved

#include <unistd.h>

int main(void)
{
    while (getpid() != getpid())
        ;
    return 0;
}
