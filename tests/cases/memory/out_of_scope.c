// property: memsafety
// truth: fails
// expect: unknown(W010)
// The pointer's scope ends before the loop that never ends.
#include <stdlib.h>

int main(void) {
    {
        char *text = malloc(8);
        text[0] = 'x';
    }
    while (1) {
    }
}
