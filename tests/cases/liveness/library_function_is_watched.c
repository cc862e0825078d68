// property: spec
// spec: tests/cases/liveness/library_function_is_watched.slic
// truth: fails
// expect: refuted
// why: `atoi` is called twice.
#include <stdlib.h>

int main(void) {
    int first = atoi("12");
    return first == atoi("13");
}
