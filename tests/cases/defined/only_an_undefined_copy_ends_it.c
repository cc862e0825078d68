// property: termination
// truth: fails
// expect: unknown(W009)
//
// C does not define a copy of a text to itself, so no run that C defines comes round; that is no
// reason to say that the loop ends.

#include <string.h>

static char text[8];

int main(void)
{
    for (;;)
        strcpy(text, text);
}
