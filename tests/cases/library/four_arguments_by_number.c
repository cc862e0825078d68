// property: memsafety
// truth: holds
// expect: proved
// why: there are as many as are read
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc != 5) {
        fprintf(stderr, "usage: %s width height x y\n", argc > 0 ? argv[0] : "area");
        return 1;
    }
    int width = atoi(argv[1]), height = atoi(argv[2]), x = atoi(argv[3]), y = atoi(argv[4]);
    puts(x >= 0 && x < width && y >= 0 && y < height ? "inside" : "outside");
    return 0;
}
