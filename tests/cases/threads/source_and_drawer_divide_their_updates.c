// property: thread-termination
// thread: drawer
// options: --int-model=math
// truth: fails
// expect: refuted
// why: between a read and its write the other adds what was taken.
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

static void *source(void *unused) {
    int seen;
    while (nondet()) {
        seen = level;
        level = seen + 1;
    }
    return 0;
}

int main(void) {
    pthread_t first, second;
    level = nondet();
    pthread_create(&first, 0, drawer, 0);
    pthread_create(&second, 0, source, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
