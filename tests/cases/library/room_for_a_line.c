// property: termination
// truth: fails
// expect: refuted
// The buffer may have more room than the line needs.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *line = 0;
    size_t size = 0;
    ssize_t length = getline(&line, &size, stdin);
    while (length > 0 && size > (size_t)length + 1) {
    }
    free(line);
    return 0;
}
