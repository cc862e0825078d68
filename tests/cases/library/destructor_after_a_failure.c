// property: termination
// truth: fails
// expect: refuted

#include <err.h>

__attribute__((destructor)) static void wait(void)
{
    for (;;)
        ;
}

int main(void)
{
    errx(1, "it is broken");
}
