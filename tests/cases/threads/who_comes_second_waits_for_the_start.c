// property: thread-termination
// thread: worker
// truth: holds
// expect: proved
// why: whoever calls `pthread_once`, behind it the limit is set.
#include <pthread.h>

static pthread_once_t started = PTHREAD_ONCE_INIT;
static int limit;

static void set_limit(void) { limit = 4; }

static void *worker(void *unused) {
    int i = 0;
    pthread_once(&started, set_limit);
    while (i != 4) {
        if (limit != 4) i = 0;
        else i++;
    }
    return unused;
}

static void *starter(void *unused) {
    pthread_once(&started, set_limit);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, starter, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
