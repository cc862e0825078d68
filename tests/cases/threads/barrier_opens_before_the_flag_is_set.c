// property: thread-termination
// thread: reader
// truth: fails
// expect: refuted
// why: `flag` is written behind the barrier: the reader may look for ever before.
#include <pthread.h>

static pthread_barrier_t gate;
static int flag;

static void *reader(void *unused) {
    pthread_barrier_wait(&gate);
    while (!flag) ;
    return unused;
}

static void *writer(void *unused) {
    pthread_barrier_wait(&gate);
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_barrier_init(&gate, 0, 2);
    pthread_create(&first, 0, reader, 0);
    pthread_create(&second, 0, writer, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
