// property: thread-termination
// thread: main
// truth: fails
// expect: refuted
// why: the thread may exit with null.
#include <pthread.h>

int nondet(void);
static int one;

static void *stride(void *unused) {
    if (nondet()) pthread_exit(0);
    return &one;
}

int main(void) {
    pthread_t first;
    void *found;
    int left = 10;
    pthread_create(&first, 0, stride, 0);
    pthread_join(first, &found);
    while (left > 0)
        if (found) left--;
    return 0;
}
