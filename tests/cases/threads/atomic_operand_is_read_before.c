// property: thread-termination
// thread: taker
// truth: fails
// expect: refuted
// why: the adder reads `more` before its step: it may add 1 when `more` is 0 already.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int left, more = 1;

static void *taker(void *unused) {
    more = 0;
    if (left == 0) {
        int seen = left;
        while (seen == 1) {}
    }
    return 0;
}

static void *adder(void *unused) {
    atomic_fetch_add(&left, more);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, taker, 0);
    pthread_create(&b, 0, adder, 0);
    pthread_join(a, 0);
    return 0;
}
