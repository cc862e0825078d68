// property: thread-termination
// thread: mover
// truth: holds
// expect: proved
// why: each round moves a node from one list to the other while both locks are held.
#include <pthread.h>
#include <stdlib.h>

int nondet(void);
struct job { int cost; struct job *next; };
static struct job *from, *to;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;

static void *mover(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&other);
    while (from) {
        struct job *node = from;
        from = node->next;
        node->next = to;
        to = node;
    }
    pthread_mutex_unlock(&other);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *filler(void *unused) {
    while (nondet()) {
        struct job *fresh = malloc(sizeof *fresh);
        pthread_mutex_lock(&lock);
        fresh->next = from;
        from = fresh;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, mover, 0);
    pthread_create(&b, 0, filler, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
