// property: thread-termination
// thread: taker
// truth: holds
// expect: proved
// why: the filler writes once; behind that the count only falls.
#include <pthread.h>

static int left = 2;

static void *filler(void *unused) {
    left = 2;
    return 0;
}

__attribute__((constructor)) static void prepare(void) {
    pthread_t id;
    pthread_create(&id, 0, filler, 0);
}

static void *taker(void *unused) {
    while (left > 0) left--;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, taker, 0);
    pthread_join(id, 0);
    return 0;
}
