// property: memsafety
// truth: fails
// expect: refuted
// What is left of the address is no address.
#include <stdlib.h>

static union {
    char *block;
    int number;
} both;

int main(void) {
    both.block = malloc(8);
    both.number = 0;
    return 0;
}
