// property: memsafety
// truth: fails
// expect: refuted
// Where the program is over, nobody steps back from behind the end of the block.
#include <stdlib.h>

static char *end;

int main(void) {
    char *start = malloc(10);
    end = start + 10;
    return 0;
}
