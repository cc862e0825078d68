// property: thread-termination
// thread: user
// truth: holds
// expect: proved
// why: one element grows by one, whichever it is: the index is looked at once.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int which;
static int counts[2] = { 5, 7 };

static void *user(void *unused) {
    ++counts[which];
    while (counts[0] + counts[1] != 13) {}
    return 0;
}

static void *mover(void *unused) {
    for (;;) {
        which = 1;
        which = 0;
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, mover, 0);
    pthread_join(a, 0);
    return 0;
}
