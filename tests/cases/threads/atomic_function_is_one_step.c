// property: thread-termination
// thread: reader
// truth: holds
// expect: proved
// why: `busy` is 1 only inside of a step.
#include <pthread.h>

static int busy;

void __VERIFIER_atomic_touch(void) {
    busy = 1;
    busy = 0;
}

static void *writer(void *unused) {
    for (;;)
        __VERIFIER_atomic_touch();
    return unused;
}

static void *reader(void *unused) {
    while (busy) {}
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(b, 0);
    return 0;
}
