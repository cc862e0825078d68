// property: thread-termination
// thread: taker
// options: --int-model=math
// truth: holds
// expect: proved
// why: each step of the adder takes one away, too.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int left = 9;
static int by = -1;

static void *taker(void *unused) {
    while (left > 0) left--;
    return 0;
}

static void *adder(void *unused) {
    for (;;) atomic_fetch_add(&left, by);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, taker, 0);
    pthread_create(&b, 0, adder, 0);
    pthread_join(a, 0);
    return 0;
}
