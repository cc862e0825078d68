// property: memsafety
// truth: holds
// expect: proved
// why: the counter is at most where the zero is, from the first round on
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        const char *text = argv[i];
        size_t length = 0;
        while (text[length] != 0)
            length++;
        char *last = malloc(length + 1);
        if (last == NULL)
            return 1;
        last[length] = text[length];
        free(last);
    }
    return 0;
}
