// property: memsafety
// truth: fails
// expect: refuted
// What is looked for must be a text, even where its first character is not found.
#include <string.h>

static char wanted[3] = { 'a', 'b', 'c' };

int main(void) {
    return strstr("HELLO", wanted) != 0;
}
