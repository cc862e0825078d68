// property: thread-termination
// thread: taker
// truth: fails
// expect: refuted
// why: reading `left` and writing it are two steps of the copier: what the taker took comes back.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int left = 2;

static void *taker(void *unused) {
    while (left > 0) left--;
    return 0;
}

static void *copier(void *unused) {
    for (;;) left = left;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, taker, 0);
    pthread_create(&b, 0, copier, 0);
    pthread_join(a, 0);
    return 0;
}
