// property: memsafety
// truth: fails
// expect: refuted
// why: the third argument is one too many
#include <stdlib.h>

int main(int argc, char **argv) {
    int rows[2] = { 0, 0 };
    for (int i = 1; i < argc; i++)
        if (strtol(argv[i], NULL, 10) == 12)
            rows[i - 1]++;
    return rows[0];
}
