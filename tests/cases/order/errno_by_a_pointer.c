// property: termination
// truth: fails
// expect: refuted
//
// The pointer leads to errno, so reading through it and setting errno are in some order.

#include <errno.h>

static int set(void)
{
    errno = 0;
    return 1;
}

int main(void)
{
    int *number = &errno;
    errno = 5;
    if (set() + (*number == 0) == 1)
        for (;;)
            ;
    return 0;
}
