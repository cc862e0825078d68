// property: termination
// truth: holds
// expect: unknown(W020)
#include <stdio.h>

int main(void) {
    char line[9];
    while (ungetc('x', stdin) == 'x' && !fgets(line, 9, stdin)) {
    }
    return 0;
}
