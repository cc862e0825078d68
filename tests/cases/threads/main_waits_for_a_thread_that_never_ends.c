// property: thread-termination
// thread: main
// truth: holds
// expect: proved
// why: who waits for a thread makes no steps: it does not run for ever, it stands.
#include <pthread.h>

static int filled;

static void *filler(void *unused) {
    for (;;) filled = 1;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, filler, 0);
    pthread_join(id, 0);
    return 0;
}
