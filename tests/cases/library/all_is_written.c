// property: termination
// truth: holds
// expect: unknown(W030)
// Of some bytes at least one is written, which is more than is promised.
#include <unistd.h>

int main(void) {
    char text[100] = "";
    char *next = text;
    size_t left = sizeof text;
    while (left > 0) {
        ssize_t n = write(1, next, left);
        if (n < 0)
            return 1;
        next += n;
        left -= n;
    }
    return 0;
}
