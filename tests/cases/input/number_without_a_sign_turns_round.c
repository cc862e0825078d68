// property: memsafety
// truth: fails
// expect: refuted
// why: "-1" is a number for `%lu`, and a large one
#include <stdio.h>

int main(int argc, char **argv) {
    unsigned long n = 0;
    int rows[2] = { 0, 0 };
    if (argc < 2 || sscanf(argv[1], "%lu", &n) != 1)
        return 0;
    return n > 9223372036854775807ul ? rows[n] : 0;
}
