// property: memsafety
// truth: fails
// expect: refuted
// The test of the height lets one bracket more through than there is room for.
#include <stdio.h>

static int push(char *stack, int *height, char closing) {
    if (*height > 4) {
        return -1;
    }
    stack[(*height)++] = closing;
    return 0;
}

int main(void) {
    char stack[4];
    int height = 0, c;
    while ((c = getchar()) != EOF) {
        if (c == '{' && push(stack, &height, '}') != 0) {
            return 1;
        }
    }
    return height;
}
