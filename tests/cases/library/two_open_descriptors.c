// property: memsafety
// truth: holds
// expect: unknown(W001)
// Two files that are open have different numbers.
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    int one = open("one", O_RDONLY), other = open("other", O_RDONLY);
    if (one < 0 || other < 0)
        return 0;
    if (one == other)
        *(int *)0 = 1;
    return 0;
}
