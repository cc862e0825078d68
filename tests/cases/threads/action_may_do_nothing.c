// property: thread-termination
// thread: worker
// truth: fails
// expect: refuted
// why: once the chooser has chosen, no job is taken any more.
#include <pthread.h>

static int jobs = 3;

static void one(void) { jobs = jobs - 1; }
static void none(void) { }
static void (*action)(void);

static void *worker(void *unused) {
    while (jobs > 0) action();
    return unused;
}

static void *chooser(void *unused) {
    action = none;
    return unused;
}

int main(void) {
    pthread_t first, second;
    action = one;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, chooser, 0);
    pthread_join(first, 0);
    return 0;
}
