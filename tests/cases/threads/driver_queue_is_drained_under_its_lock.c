// property: thread-termination
// thread: drain
// options: --entry drain
// truth: holds
// expect: proved
// why: nobody fills the queue while `drain` holds the lock.
#include <pthread.h>

static int queued;
static int served;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

void drain(void) {
    pthread_mutex_lock(&gate);
    while (queued > 0) {
        queued = queued - 1;
        served = 1;
    }
    pthread_mutex_unlock(&gate);
}

void submit(int n) {
    pthread_mutex_lock(&gate);
    queued = n;
    pthread_mutex_unlock(&gate);
}

int has_served(void) {
    int answer;
    pthread_mutex_lock(&gate);
    answer = served;
    pthread_mutex_unlock(&gate);
    return answer;
}
