// property: memsafety
// truth: fails
// expect: refuted
// One row too many.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int width = __VERIFIER_nondet_int(), height = __VERIFIER_nondet_int();
    if (width < 1 || width > 4 || height < 1 || height > 4) {
        return 1;
    }
    char *pixels = malloc((size_t)width * (size_t)height);
    for (int row = 0; row <= height; row++) {
        for (int column = 0; column < width; column++) {
            pixels[row * width + column] = 0;
        }
    }
    free(pixels);
    return 0;
}
