// property: termination
// truth: fails
// expect: refuted
// The base is refused.
#include <stdlib.h>

int main(void) {
    long n = strtol("1", 0, 1);
    while (n == 0) {
    }
    return 0;
}
