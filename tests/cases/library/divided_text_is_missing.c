// property: memsafety
// truth: fails
// expect: refuted
#include <string.h>

int main(void) {
    return strtok(0, " ") != 0;
}
