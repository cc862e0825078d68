// property: thread-termination
// thread: worker
// truth: fails
// expect: refuted
// why: between two looks the lock is free, and a job comes.
#include <pthread.h>
#include <stdlib.h>

int nondet(void);
struct job { int cost; struct job *next; };
static struct job *queue;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct job *taken(void) {
    struct job *first;
    pthread_mutex_lock(&lock);
    first = queue;
    if (first) queue = first->next;
    pthread_mutex_unlock(&lock);
    return first;
}

static void *worker(void *unused) {
    struct job *mine;
    while ((mine = taken()) != 0) free(mine);
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
