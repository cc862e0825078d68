// property: thread-termination
// thread: taker
// truth: holds
// expect: proved
// why: `handle` holds the address of another variable; nobody else knows `left`.
#include <pthread.h>

static int left = 2, other;
static int *handle = &other;

static void *taker(void *unused) {
    while (left > 0) left--;
    return 0;
}

static void *filler(void *unused) {
    for (;;) *handle = 2;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, taker, 0);
    pthread_create(&b, 0, filler, 0);
    pthread_join(a, 0);
    return 0;
}
