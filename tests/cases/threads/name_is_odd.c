// property: thread-termination
// thread: asker
// truth: fails
// expect: refuted
// why: a thread may be called any number.
#include <pthread.h>

static void *asker(void *unused) {
    while (pthread_self() % 2) {}
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, asker, 0);
    pthread_join(id, 0);
    return 0;
}
