// property: thread-termination
// thread: reader
// truth: holds
// expect: proved
// why: `flag` is written before the barrier opens, and read behind it.
#include <pthread.h>

static pthread_barrier_t gate;
static int flag;

static void *reader(void *unused) {
    pthread_barrier_wait(&gate);
    while (!flag) ;
    return unused;
}

static void *writer(void *unused) {
    flag = 1;
    pthread_barrier_wait(&gate);
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
