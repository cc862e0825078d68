// property: termination
// truth: fails
// expect: refuted

#include <stdlib.h>

static void wait_for_nobody(void)
{
    for (;;)
        ;
}

int main(void)
{
    atexit(wait_for_nobody);
    return 0;
}
