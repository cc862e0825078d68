// property: termination
// truth: holds
// expect: unknown(W030)
// why: what `scanf` refuses is there to be skipped, and there is only so much of it
#include <stdio.h>

int main(void) {
    int n;
    while (scanf("%d", &n) == 0)
        getchar();
    return 0;
}
