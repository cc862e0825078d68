// property: thread-termination
// thread: twice
// truth: holds
// expect: proved
// why: a second lock fails with EDEADLK, and so is no wait.
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t gate;

static void *twice(void *unused) {
    pthread_mutex_lock(&gate);
    if (pthread_mutex_lock(&gate) != EDEADLK)
        for (;;) ;
    pthread_mutex_unlock(&gate);
    if (pthread_mutex_unlock(&gate) != EPERM)
        for (;;) ;
    return unused;
}

static void *other(void *unused) {
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&gate, &kind);
    pthread_create(&first, 0, twice, 0);
    pthread_create(&second, 0, other, 0);
    pthread_join(first, 0);
    return 0;
}
