// property: termination
// truth: fails
// expect: refuted
// The last two values may change places for ever.
#include <stdio.h>

struct square {
    unsigned area;
    unsigned side;
};

static void find_side(struct square *square)
{
    unsigned area = square->area;
    unsigned side = area, last;
    if (area < 2) {
        square->side = area;
        return;
    }
    do {
        last = side;
        side = (last + area / last) / 2;
    } while (side != last);
    square->side = last;
}

int main(void)
{
    struct square square;
    if (scanf("%u", &square.area) != 1 || square.area > 1000000)
        return 1;
    find_side(&square);
    printf("%u\n", square.side);
    return 0;
}
