// property: memsafety
// truth: holds
// expect: unknown(W001)

#include <stdlib.h>

int main(void)
{
    if (getenv("HOME"))
        return *getenv("HOME");
    return 0;
}
