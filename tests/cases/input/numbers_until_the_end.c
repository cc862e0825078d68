// property: termination
// truth: holds
// expect: proved

#include <stdio.h>

int main(void)
{
    int number;
    long sum = 0;
    while (scanf("%d", &number) == 1)
        sum += number;
    printf("%ld\n", sum);
    return 0;
}
