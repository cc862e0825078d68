// property: memsafety
// truth: holds
// expect: unknown(W001)
// What an error is called is the library's affair, but no name is empty.
#include <string.h>

int main(void) {
    const char *name = strerror(2);
    if (!name[0]) {
        *(int *)0 = 1;
    }
    return 0;
}
