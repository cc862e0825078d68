// property: memsafety
// truth: holds
// expect: proved
// options: --entry reset
// A part is given up, and null takes its place.
#include <stdlib.h>

struct box {
    char *text;
    int *numbers;
    int n;
};

void reset(struct box *box, struct box *other)
{
    free(box->text);
    box->text = 0;
    if (other->numbers)
        other->numbers[0] = box->n;
}
