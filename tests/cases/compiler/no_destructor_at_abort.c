// property: termination
// truth: holds
// expect: proved
// `abort` calls no destructor.
#include <stdlib.h>

__attribute__((destructor)) static void last(void)
{
    for (;;)
        ;
}

int main(void)
{
    abort();
}
