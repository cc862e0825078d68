// property: termination
// truth: fails
// expect: refuted

#include <stdio.h>

int main(void)
{
    int number = 0;
    while (scanf("%d", &number) != EOF)
        printf("%d\n", number);
    return 0;
}
