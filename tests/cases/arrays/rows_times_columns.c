// property: memsafety
// truth: holds
// expect: proved
// A picture of unknown width and height: `row * width + column` lies in it.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct picture {
    int width, height;
    unsigned char *pixels;
};

int main(void) {
    struct picture it = {__VERIFIER_nondet_int(), __VERIFIER_nondet_int(), 0};
    if (it.width < 1 || it.width > 4000 || it.height < 1 || it.height > 4000) {
        return 1;
    }
    it.pixels = calloc((size_t)it.width * (size_t)it.height, 3);
    for (int row = 0; row < it.height; row++) {
        for (int column = 0; column < it.width; column++) {
            it.pixels[(row * it.width + column) * 3 + 2] = 255;
        }
    }
    free(it.pixels);
    return 0;
}
