// property: memsafety
// truth: fails
// expect: unknown(W010)
// When the run is given up, the variable that held the block is out of scope.
#include <stdlib.h>

void reach_error(void);

int main(void) {
    for (int i = 0; i < 3; i++) {
        char *text = malloc(8);
        text[0] = 'x';
        if (i == 2) {
            break;
        }
        free(text);
    }
    reach_error();
}
