// property: thread-termination
// thread: loop
// truth: fails
// expect: unknown(W020)
// why: `main` need not come to cancel the thread; that it does is not modelled.
#include <pthread.h>

static int ticks;

static void *loop(void *unused) {
    while (ticks >= 0) ticks = 1 - ticks;
    return unused;
}

int main(void) {
    pthread_t first;
    pthread_create(&first, 0, loop, 0);
    pthread_cancel(first);
    pthread_join(first, 0);
    return 0;
}
