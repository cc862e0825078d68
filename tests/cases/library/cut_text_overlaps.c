// property: reach
// truth: fails
// expect: unknown(W009)
// What is written is not in the first byte of the text, but in the text: that is undefined,
// and the length that is returned is that of the text before, or after.
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    char text[16] = "one text";
    if (snprintf(text + 7, 1, "%s", text + 4) != 4)
        reach_error();
    return 0;
}
