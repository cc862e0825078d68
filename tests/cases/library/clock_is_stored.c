// property: termination
// truth: fails
// expect: refuted

#include <time.h>

int main(void)
{
    time_t now = 0;
    time(&now);
    while (now > 0) {
    }
    return 0;
}
