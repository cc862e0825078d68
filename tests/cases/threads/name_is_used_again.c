// property: thread-termination
// thread: later
// truth: fails
// expect: refuted
// why: the first one was waited for: the second one may be called the same.
#include <pthread.h>

static pthread_t old;

static void *earlier(void *unused) {
    return 0;
}

static void *later(void *unused) {
    while (pthread_equal(pthread_self(), old)) {}
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&old, 0, earlier, 0);
    pthread_join(old, 0);
    pthread_create(&id, 0, later, 0);
    pthread_join(id, 0);
    return 0;
}
