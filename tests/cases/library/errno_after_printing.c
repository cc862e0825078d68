// property: termination
// truth: fails
// expect: unknown(W030)

#include <errno.h>
#include <stdio.h>

int main(void)
{
    errno = 0;
    printf("hello\n");
    while (errno)
        ;
    return 0;
}
