// property: thread-termination
// thread: stay
// truth: fails
// expect: refuted
// why: `main` starts threads for ever, and the first one runs in between.
#include <pthread.h>

static void *stay(void *unused) {
    for (;;) ;
    return unused;
}

int main(void) {
    pthread_t thread;
    for (;;) pthread_create(&thread, 0, stay, 0);
    return 0;
}
