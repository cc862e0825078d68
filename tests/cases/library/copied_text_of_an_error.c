// property: memsafety
// truth: holds
// expect: unknown(W001)
#include <string.h>

int main(void) {
    char first = 0;
    memcpy(&first, strerror(2), 1);
    if (!first) {
        *(int *)0 = 1;
    }
    return 0;
}
