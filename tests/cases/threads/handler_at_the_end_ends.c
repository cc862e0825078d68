// property: thread-termination
// thread: main
// truth: holds
// expect: proved
// why: the worker was waited for, so what the handler waits for is there.
#include <pthread.h>
#include <stdlib.h>

static int stopped;

static void finish(void) {
    while (!stopped) {}
}

static void *worker(void *unused) {
    stopped = 1;
    return 0;
}

int main(void) {
    pthread_t id;
    atexit(finish);
    pthread_create(&id, 0, worker, 0);
    pthread_join(id, 0);
    return 0;
}
