// property: termination
// truth: fails
// expect: refuted
// The inner loop counts the rows.
#include <stdio.h>

#define ROWS 6
#define COLUMNS 9

struct picture {
    unsigned char pixels[ROWS * COLUMNS];
};

static unsigned char pixel(const struct picture *picture, unsigned row, unsigned column)
{
    if (row >= ROWS || column >= COLUMNS)
        return 0;
    return picture->pixels[row * COLUMNS + column];
}

static unsigned dark_pixels(const struct picture *picture)
{
    unsigned dark = 0;
    for (unsigned row = 0; row < ROWS; row++)
        for (unsigned column = 0; column < COLUMNS; row++)
            if (pixel(picture, row, column) < 16)
                dark++;
    return dark;
}

int main(void)
{
    struct picture picture = { { 0 } };
    fread(picture.pixels, 1, sizeof picture.pixels, stdin);
    printf("%u\n", dark_pixels(&picture));
    return 0;
}
