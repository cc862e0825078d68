// property: memsafety
// truth: holds
// expect: unknown(W002)
#include <unistd.h>

extern char **environ;

int main(void) {
    return environ[0] != 0;
}
