// property: thread-termination
// thread: reader
// truth: fails
// expect: refuted
// why: `busy` is 1 whenever the reader looks, if the schedule is unkind.
#include <pthread.h>

static int busy;

void touch(void) {
    busy = 1;
    busy = 0;
}

static void *writer(void *unused) {
    for (;;)
        touch();
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
