// property: thread-termination
// thread: drawer
// options: --int-model=math
// truth: holds
// expect: proved
// why: the greatest of the level and what is read but not yet written never grows.
#include <pthread.h>

int nondet(void);
static int level;

static void *drawer(void *unused) {
    int seen;
    while (level > 0) {
        seen = level;
        level = seen - 2;
    }
    return 0;
}

static void *leak(void *unused) {
    int seen;
    while (nondet()) {
        seen = level;
        level = seen - 1;
    }
    return 0;
}

int main(void) {
    pthread_t first, second;
    level = nondet();
    pthread_create(&first, 0, drawer, 0);
    pthread_create(&second, 0, leak, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
