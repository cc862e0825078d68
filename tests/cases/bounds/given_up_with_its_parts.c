// property: memsafety
// truth: holds
// expect: proved
// options: --entry discard
// All that a structure leads to is given up, and then the structure.
#include <stdlib.h>

struct box {
    char *text;
    int *numbers;
    int n;
};

void discard(struct box *box)
{
    if (!box)
        return;
    free(box->text);
    free(box->numbers);
    free(box);
}
