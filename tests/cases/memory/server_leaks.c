// property: memsafety
// truth: fails
// expect: refuted
// It never ends, and loses the block in the first round.
#include <stdlib.h>

int main(void) {
    while (1) {
        int *request = malloc(4);
        request = NULL;
    }
}
