// property: termination
// truth: fails
// expect: refuted
// A list of arguments is passed on, and copied.
#include <stdarg.h>

static int from(va_list list)
{
    return va_arg(list, int);
}

static int difference(int count, ...)
{
    va_list list, copy;
    va_start(list, count);
    va_copy(copy, list);
    int first = from(list);
    int second = va_arg(list, int);
    int again = va_arg(copy, int);
    va_end(list);
    va_end(copy);
    return (first - again) * 100 + second - first;
}

int main(void)
{
    while (difference(2, 4, 9) == 5)
        ;
    return 0;
}
