// property: memsafety
// truth: holds
// expect: proved
// The first argument is a text, if there is one.
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc != 2) {
        return 1;
    }
    char *own = malloc(strlen(argv[1]) + 1);
    strcpy(own, argv[1]);
    int first = own[0] + atoi(argv[1]) % 2;
    free(own);
    return first;
}
