// property: thread-termination
// thread: user
// truth: fails
// expect: refuted
// why: the index may be read before or after the mover writes it.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int which;
static int counts[2] = { 5, 7 };

static void *user(void *unused) {
    ++counts[which];
    while (counts[1] == 8) {}
    return 0;
}

static void *mover(void *unused) {
    which = 1;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, mover, 0);
    pthread_join(a, 0);
    return 0;
}
