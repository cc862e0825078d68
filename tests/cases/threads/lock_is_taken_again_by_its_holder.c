// property: thread-termination
// thread: drain
// truth: holds
// expect: proved
// why: the lock is recursive, so that `take_one` may take it while `drain` holds it.
#include <pthread.h>

int nondet(void);
static int stock;
static pthread_mutex_t gate;

static void take_one(void) {
    pthread_mutex_lock(&gate);
    stock = stock - 1;
    pthread_mutex_unlock(&gate);
}

static void *drain(void *unused) {
    pthread_mutex_lock(&gate);
    while (stock > 0) take_one();
    pthread_mutex_unlock(&gate);
    return unused;
}

static void *restock(void *unused) {
    pthread_mutex_lock(&gate);
    stock = 5;
    pthread_mutex_unlock(&gate);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&gate, &kind);
    pthread_mutexattr_destroy(&kind);
    stock = nondet();
    pthread_create(&first, 0, drain, 0);
    pthread_create(&second, 0, restock, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
