// property: thread-termination
// thread: reader
// truth: fails
// expect: refuted
// why: C leaves open which of the two is read first: `first` may be old and `second` new.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first, second;

static void *reader(void *unused) {
    int lead = second - first;
    while (lead == 1) {}
    return 0;
}

static void *writer(void *unused) {
    first = 1;
    second = 1;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_join(a, 0);
    return 0;
}
