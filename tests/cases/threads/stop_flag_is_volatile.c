// property: thread-termination
// thread: loop
// truth: fails
// expect: refuted
// why: nobody need set the flag before the next look.
#include <pthread.h>

static volatile int stop;

static void *loop(void *unused) {
    while (!stop) ;
    return unused;
}

int main(void) {
    pthread_t first;
    pthread_create(&first, 0, loop, 0);
    stop = 1;
    pthread_join(first, 0);
    return 0;
}
