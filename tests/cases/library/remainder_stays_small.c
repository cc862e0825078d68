// property: termination
// truth: fails
// expect: refuted
// The remainder of each number by three is at most two, so the loop never ends.
#include <stdlib.h>

int main(void) {
    int i = 0;
    while (div(i, 3).rem < 3)
        i = i == 5 ? 0 : i + 1;
    return 0;
}
