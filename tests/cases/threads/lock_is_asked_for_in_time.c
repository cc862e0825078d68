// property: thread-termination
// thread: patient
// truth: fails
// expect: refuted
// why: the holder need not give the lock back, and each attempt is too late.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static struct timespec soon;

static void *patient(void *unused) {
    while (pthread_mutex_timedlock(&gate, &soon) != 0) ;
    pthread_mutex_unlock(&gate);
    return unused;
}

static void *holder(void *unused) {
    pthread_mutex_lock(&gate);
    for (;;) ;
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, patient, 0);
    pthread_create(&second, 0, holder, 0);
    pthread_join(first, 0);
    return 0;
}
