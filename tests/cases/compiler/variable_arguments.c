// property: memsafety
// truth: holds
// expect: proved
// Arguments are found where the call left them.
#include <stdarg.h>
#include <stdlib.h>

static void release(int count, ...)
{
    va_list rest;
    va_start(rest, count);
    long number = va_arg(rest, long);
    int *cell = va_arg(rest, int *);
    va_end(rest);
    *cell = (int)number;
    free(cell);
}

int main(void)
{
    release(2, 7L, malloc(sizeof(int)));
    return 0;
}
