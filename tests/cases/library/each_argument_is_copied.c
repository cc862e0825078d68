// property: memsafety
// truth: holds
// expect: proved
// why: the zero is copied with the text, whose size has a byte to spare
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copied(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy != NULL)
        memcpy(copy, text, size);
    return copy;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        char *copy = copied(argv[i]);
        if (copy != NULL)
            puts(copy);
        free(copy);
    }
    return 0;
}
