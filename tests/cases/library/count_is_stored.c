// property: termination
// truth: fails
// expect: refuted

#include <stdio.h>

int main(void)
{
    int width = 0;
    printf("four%n", &width);
    while (width == 4) {
    }
    return 0;
}
