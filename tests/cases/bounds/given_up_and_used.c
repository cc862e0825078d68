// property: memsafety
// truth: fails
// expect: refuted
// options: --entry count
// A number lies in what is given up.
#include <stdlib.h>

struct box {
    char *text;
    int *numbers;
    int n;
};

int count(struct box *box)
{
    int *n = &box->n;
    free(box);
    return *n;
}
