// property: thread-termination
// thread: counter
// truth: holds
// expect: proved
// why: the length is only read while the lock is held, and nobody changes it then.
#include <pthread.h>
#include <stdlib.h>

int nondet(void);
struct job { int cost; struct job *next; };
static struct job *queue;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int length;

static void *counter(void *unused) {
    struct job *at;
    pthread_mutex_lock(&lock);
    length = 0;
    for (at = queue; at; at = at->next) length = length + 1;
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
    pthread_create(&a, 0, counter, 0);
    pthread_create(&b, 0, producer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
