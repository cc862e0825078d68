// property: reach
// truth: holds
// expect: proved
#include <stdlib.h>

extern void reach_error(void);

int main(void) {
    div_t both = div(-17, 5);
    ldiv_t wide = ldiv(41, -6);
    if (both.quot != -3 || both.rem != -2 || wide.quot != -6 || wide.rem != 5)
        reach_error();
    return 0;
}
