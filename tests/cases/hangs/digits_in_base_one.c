// property: termination
// truth: fails
// expect: refuted
// In base one a number never gets smaller.
#include <stdio.h>
#include <stdlib.h>

struct format {
    int base;
    int width;
};

static int n_digits(int number, const struct format *format)
{
    int digits = 0;
    do {
        digits++;
        if (digits > format->width)
            digits = format->width;
        number /= format->base;
    } while (number > 0);
    return digits;
}

int main(int argc, char **argv)
{
    struct format format = { 10, 40 };
    if (argc > 1)
        format.base = atoi(argv[1]);
    if (format.base < 1 || format.base > 36)
        return 1;
    int number;
    while (scanf("%d", &number) == 1)
        if (number >= 0)
            printf("%d\n", n_digits(number, &format));
    return 0;
}
