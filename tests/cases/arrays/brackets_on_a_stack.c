// property: memsafety
// truth: holds
// expect: proved
// How high the stack is a helper compares, which is handed a pointer to that.
#include <stdio.h>

static int push(char *stack, int *height, char closing) {
    if (*height >= 16) {
        return -1;
    }
    stack[(*height)++] = closing;
    return 0;
}

int main(void) {
    char stack[16];
    int height = 0, c;
    while ((c = getchar()) != EOF) {
        switch (c) {
        case '{':
            if (push(stack, &height, '}') != 0) {
                return 1;
            }
            break;
        case '}':
            if (height == 0 || stack[height - 1] != c) {
                return 1;
            }
            height--;
            break;
        default:
            break;
        }
    }
    return height > 0 ? stack[height - 1] : 0;
}
