// property: termination
// truth: fails
// expect: refuted

#include <stdio.h>

int main(void)
{
    unsigned char c;
    do {
        c = getchar();
    } while (c != EOF);
    return 0;
}
