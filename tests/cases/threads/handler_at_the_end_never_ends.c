// property: thread-termination
// thread: main
// truth: fails
// expect: refuted
// why: behind `main` the first thread runs the handler, which waits for ever.
#include <pthread.h>
#include <stdlib.h>

static int stopped;

static void finish(void) {
    while (!stopped) {}
}

static void *worker(void *unused) {
    return 0;
}

int main(void) {
    pthread_t id;
    atexit(finish);
    pthread_create(&id, 0, worker, 0);
    pthread_join(id, 0);
    return 0;
}
