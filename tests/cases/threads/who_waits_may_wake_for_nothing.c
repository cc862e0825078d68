// property: thread-termination
// thread: waiter
// truth: fails
// expect: refuted
// why: the condition may never be signalled: the producer need not run.
#include <pthread.h>
#include <stdlib.h>

int nondet(void);
struct job { int cost; struct job *next; };
static struct job *queue;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;

static void *waiter(void *unused) {
    pthread_mutex_lock(&lock);
    while (!queue) pthread_cond_wait(&filled, &lock);
    queue = queue->next;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *producer(void *unused) {
    struct job *fresh = malloc(sizeof *fresh);
    pthread_mutex_lock(&lock);
    fresh->next = 0;
    queue = fresh;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, waiter, 0);
    pthread_create(&b, 0, producer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
