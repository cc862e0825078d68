// property: termination
// truth: fails
// expect: refuted
// The number that is left to print is the whole number.
#include <stdio.h>

struct output {
    char text[24];
    int length;
};

static void put(struct output *output, char c)
{
    if (output->length < 24)
        output->text[output->length++] = c;
}

static void put_number(struct output *output, unsigned number)
{
    if (number >= 10)
        put_number(output, number);
    put(output, (char)('0' + number % 10));
}

int main(void)
{
    struct output output = { .length = 0 };
    unsigned number;
    if (scanf("%u", &number) != 1)
        return 1;
    put_number(&output, number);
    for (int i = 0; i < output.length; i++)
        putchar(output.text[i]);
    return 0;
}
