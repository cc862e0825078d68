// property: memsafety
// truth: fails
// expect: unknown(W036)
// options: --entry discard
// A part is given up, and its place still leads there.
#include <stdlib.h>

struct box {
    char *text;
    int *numbers;
    int n;
};

void discard(struct box *box)
{
    free(box->text);
    free(box->text);
}
