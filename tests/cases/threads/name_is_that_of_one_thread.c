// property: thread-termination
// thread: later
// truth: holds
// expect: proved
// why: the first one is not waited for before: no other thread has its name.
#include <pthread.h>

static pthread_t old;

static void *earlier(void *unused) {
    for (;;) {}
    return 0;
}

static void *later(void *unused) {
    while (pthread_equal(pthread_self(), old)) {}
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&old, 0, earlier, 0);
    pthread_create(&id, 0, later, 0);
    pthread_join(id, 0);
    return 0;
}
