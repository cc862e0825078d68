// property: memsafety
// truth: fails
// expect: refuted
// Bytes are sought in all of a block, even if they are found at its start.
#define _GNU_SOURCE
#include <string.h>

int main(void) {
    static const char block[2] = "ab";
    return memmem(block, 3, "a", 1) == 0;
}
