// property: memsafety
// truth: fails
// expect: unknown(W036)
// options: --entry move
// Two places lead to what is given up: the function itself saw to that.
#include <stdlib.h>

struct box {
    char *text;
    int *numbers;
    int n;
};

void move(struct box *to, struct box *from)
{
    to->text = from->text;
    free(from->text);
    from->text = 0;
    if (to->text)
        to->text[0] = 0;
}
