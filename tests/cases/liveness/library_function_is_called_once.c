// property: spec
// spec: tests/cases/liveness/library_function_is_watched.slic
// truth: holds
// expect: proved
// why: `atoi` is called once; what its model calls is not.
#include <stdlib.h>

int main(void) {
    return atoi("12") == 12;
}
