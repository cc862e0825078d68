// property: memsafety
// truth: holds
// expect: proved
// why: a number of at most two digits is less than 100
#include <stdio.h>

int main(int argc, char **argv) {
    int days[100] = { 0 }, day;
    if (argc < 2 || sscanf(argv[1], "%2d", &day) != 1 || day < 0)
        return 0;
    return days[day];
}
