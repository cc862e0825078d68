// property: termination
// truth: fails
// expect: refuted
// `exit` calls destructors, the last one of lower priority last.
#include <stdlib.h>

static int n_calls;

__attribute__((destructor(200))) static void second(void)
{
    while (n_calls == 1)
        ;
}

__attribute__((destructor)) static void first(void)
{
    n_calls++;
}

int main(void)
{
    exit(0);
}
