// property: memsafety
// truth: fails
// expect: unknown(W020)
// There is no second argument.
#include <stdarg.h>

static int second(int count, ...)
{
    va_list rest;
    va_start(rest, count);
    (void)va_arg(rest, int);
    int value = va_arg(rest, int);
    va_end(rest);
    return value;
}

int main(void)
{
    return second(1, 2);
}
