// property: termination
// truth: holds
// expect: unknown(W030)
// A call that was interrupted is tried again, and no signal interrupts it for ever.
#include <errno.h>
#include <unistd.h>

int main(void) {
    char byte = 0;
    ssize_t n;
    do {
        n = write(1, &byte, 1);
    } while (n < 0 && errno == EINTR);
    return 0;
}
