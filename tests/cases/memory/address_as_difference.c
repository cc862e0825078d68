// property: memsafety
// truth: fails
// expect: refuted
// What is left of two addresses is a distance, which points at nothing.
#include <stdlib.h>

int main(void) {
    char *text = malloc(8);
    char *end = text + 8;
    long length = end - text;
    text = NULL;
    end = NULL;
    while (length) {
    }
    return 0;
}
