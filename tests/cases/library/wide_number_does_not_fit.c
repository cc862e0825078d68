// property: memsafety
// truth: fails
// expect: refuted

#include <stdio.h>

int main(void)
{
    char text[5];
    sprintf(text, "%5d", 7);
    return 0;
}
