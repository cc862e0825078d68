// property: thread-termination
// thread: drain
// options: --entry drain
// truth: fails
// expect: refuted
// why: between two rounds `submit` may be called again.
#include <pthread.h>

static int queued;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

void drain(void) {
    int more = 1;
    while (more) {
        pthread_mutex_lock(&gate);
        more = queued > 0;
        if (more) queued = queued - 1;
        pthread_mutex_unlock(&gate);
    }
}

void submit(void) {
    pthread_mutex_lock(&gate);
    queued = 1;
    pthread_mutex_unlock(&gate);
}
