// property: memsafety
// truth: holds
// expect: proved
#include <stdlib.h>

int main(int argc, char **argv) {
    int rows[2] = { 0, 0 };
    for (int i = 1; i < argc && i <= 2; i++)
        if (strtol(argv[i], NULL, 10) == 12)
            rows[i - 1]++;
    return rows[0];
}
