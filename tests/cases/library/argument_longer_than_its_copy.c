// property: memsafety
// truth: fails
// expect: refuted
#include <string.h>

int main(int argc, char **argv) {
    char name[4];
    if (argc < 2) {
        return 1;
    }
    strcpy(name, argv[1]);
    return 0;
}
