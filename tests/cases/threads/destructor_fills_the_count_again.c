// property: thread-termination
// thread: taker
// truth: fails
// expect: refuted
// why: `main` does not wait, and its destructor writes the count for ever.
#include <pthread.h>

static int left = 2;

__attribute__((destructor)) static void finish(void) {
    for (;;) left = 2;
}

static void *taker(void *unused) {
    while (left > 0) left--;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, taker, 0);
    return 0;
}
