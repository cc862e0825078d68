// property: thread-termination
// thread: count
// truth: holds
// expect: unknown(W020)
// why: the counter is the thread's own; that is not modelled.
#include <pthread.h>

static _Thread_local int left;

static void *count(void *unused) {
    left = 3;
    while (left > 0) left--;
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, count, 0);
    pthread_create(&second, 0, count, 0);
    pthread_join(first, 0);
    return 0;
}
