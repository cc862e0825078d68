// property: termination
// truth: fails
// expect: refuted
//
// If asked() goes first, it finds what was in errno before.

#include <errno.h>

static int set(void)
{
    errno = 0;
    return 1;
}

static int asked(void)
{
    return errno == 0;
}

int main(void)
{
    errno = 5;
    if (set() + asked() == 1)
        for (;;)
            ;
    return 0;
}
