// property: termination
// truth: fails
// expect: unknown(W020)
// What a handler changes is not seen where it is not called.
#include <signal.h>

static int more;

static void again(int number)
{
    more = number;
}

int main(void)
{
    signal(SIGALRM, again);
    raise(SIGALRM);
    while (more)
        ;
    return 0;
}
