// property: memsafety
// truth: holds
// expect: proved
// why: no bracket is pushed where there is no room
#include <stdio.h>

static int push(char *stack, int *depth, char closing)
{
    if (*depth >= 6)
        return -1;
    stack[(*depth)++] = closing;
    return 0;
}

int main(void)
{
    char stack[6];
    int depth = 0, c;
    while ((c = getchar()) != EOF) {
        switch (c) {
        case '(':
        case '<':
            if (push(stack, &depth, c == '(' ? ')' : '>') != 0)
                return 1;
            break;
        case ')':
        case '>':
            if (depth == 0 || stack[depth - 1] != c)
                return 1;
            depth--;
            break;
        case ',':
        case ' ':
            break;
        default:
            return 2;
        }
    }
    return depth;
}
