// property: thread-termination
// thread: stay
// truth: fails
// expect: refuted
// why: `stay` is started behind a write that others see, and before a thread that may be started.
#include <pthread.h>

static int level;

static void *reset(void *unused) {
    if (level) level = 2;
    return unused;
}

static void *stay(void *unused) {
    while (1) ;
    return unused;
}

static void *raise_again(void *unused) {
    if (level) level = 3;
    return unused;
}

int main(void) {
    pthread_t first, second, third;
    pthread_create(&first, 0, reset, 0);
    level = 1;
    pthread_create(&second, 0, stay, 0);
    if (level == 77) pthread_create(&third, 0, raise_again, 0);
    pthread_join(second, 0);
    return 0;
}
