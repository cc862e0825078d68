// property: termination
// truth: fails
// expect: refuted
#include <stdio.h>
#include <stdlib.h>

/* Whatever is drawn, the game goes on. */
int main(void)
{
    for (;;) {
        int face = 1 + rand() % 6;
        if (face < 1 || face > 6)
            break;
        printf("%d\n", face);
    }
    return 0;
}
