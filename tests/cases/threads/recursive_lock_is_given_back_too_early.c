// property: thread-termination
// thread: drain
// truth: fails
// expect: refuted
// why: between two rounds `drain` does not hold the lock, and `restock` fills up for ever.
#define _GNU_SOURCE
#include <pthread.h>

static int stock = 3;
static pthread_mutex_t gate = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void *drain(void *unused) {
    int left = 1;
    while (left > 0) {
        pthread_mutex_lock(&gate);
        pthread_mutex_lock(&gate);
        stock = stock - 1;
        pthread_mutex_unlock(&gate);
        left = stock;
        pthread_mutex_unlock(&gate);
    }
    return unused;
}

static void *restock(void *unused) {
    for (;;) {
        pthread_mutex_lock(&gate);
        stock = 3;
        pthread_mutex_unlock(&gate);
    }
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, drain, 0);
    pthread_create(&second, 0, restock, 0);
    pthread_join(first, 0);
    return 0;
}
