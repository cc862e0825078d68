// property: termination
// truth: fails
// expect: refuted
// why: a letter is refused again and again
#include <stdio.h>

int main(void) {
    int n, sum = 0;
    while (scanf("%d", &n) != EOF)
        if (sum < 1000)
            sum += n & 7;
    return sum;
}
