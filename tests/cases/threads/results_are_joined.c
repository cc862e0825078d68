// property: thread-termination
// thread: main
// truth: holds
// expect: proved
// why: the thread returns the number that `main` counts down by.
#include <pthread.h>

static void *stride(void *unused) {
    return (void *)1;
}

int main(void) {
    pthread_t first;
    void *found;
    int left = 10;
    pthread_create(&first, 0, stride, 0);
    pthread_join(first, &found);
    while (left > 0)
        if (found != 0) left--;
    return 0;
}
