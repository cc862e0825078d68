// property: thread-termination
// thread: worker
// truth: holds
// expect: proved
// why: the lock is held from the first look at the queue to the last.
#include <pthread.h>
#include <stdlib.h>

int nondet(void);
struct job { int cost; struct job *next; };
static struct job *queue;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    while (queue) {
        struct job *first = queue;
        queue = first->next;
        free(first);
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *producer(void *unused) {
    while (nondet()) {
        struct job *fresh = malloc(sizeof *fresh);
        fresh->cost = nondet();
        pthread_mutex_lock(&lock);
        fresh->next = queue;
        queue = fresh;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, producer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
