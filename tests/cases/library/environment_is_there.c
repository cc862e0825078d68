// property: memsafety
// truth: holds
// expect: proved
#include <unistd.h>

extern char **environ;

int main(void) {
    return environ[0] != 0;
}
