// property: thread-termination
// thread: t
// truth: holds
// expect: unknown(W030)
//
// What the pointer leads to is changed by the threads only, and nobody counts it up.

#include <pthread.h>

int count = 3;

void *t(void *argument)
{
    volatile int *left = argument;
    while (*left > 0)
        (*left)--;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, t, &count);
    pthread_join(thread, 0);
    return 0;
}
