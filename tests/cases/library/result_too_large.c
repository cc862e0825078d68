// property: termination
// truth: fails
// expect: unknown(W030)
#include <errno.h>
#include <math.h>

int main(void) {
    errno = 0;
    double huge = exp(1000);
    while (errno == ERANGE) {
    }
    return huge > 0;
}
