// property: termination
// truth: holds
// expect: unknown(W030)
#include <stdlib.h>

/* No sequence of draws is odd for ever. */
int main(void)
{
    int n_odd = 0;
    while (n_odd < 10) {
        if (rand() % 2)
            n_odd++;
    }
    return 0;
}
