// property: memsafety
// truth: fails
// expect: refuted
// The set of bytes must be a text, even where no byte is looked up in it.
#include <string.h>

static char set[2] = { 'a', 'b' };

int main(void) {
    return (int)strcspn("", set);
}
