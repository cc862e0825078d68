// property: memsafety
// truth: holds
// expect: proved
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[40];
    int stack[2], top = 0, value;
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (sscanf(line, "push %d", &value) == 1 && top < 2)
            stack[top++] = value;
        else if (strcmp(line, "pop\n") == 0 && top > 0)
            printf("%d\n", stack[--top]);
    }
    return 0;
}
