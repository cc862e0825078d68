// property: spec
// spec: tests/cases/liveness/redirected_function_is_watched.slic
// truth: fails
// expect: refuted
//
// The C library's header gives another name to the version of scanf that is called.
#include <stdio.h>

int main(void)
{
    int number;
    if (scanf("%d", &number) != 1)
        return 1;
    return 0;
}
