// property: thread-termination
// thread: reader
// truth: holds
// expect: proved
// why: jobs only come in front of those that are read.
#include <pthread.h>
#include <stdlib.h>

int nondet(void);
struct job { int cost; struct job *next; };
static struct job *queue;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *unused) {
    struct job *at;
    pthread_mutex_lock(&lock);
    at = queue;
    pthread_mutex_unlock(&lock);
    while (at) at = at->next;
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
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, producer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
