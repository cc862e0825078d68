// property: thread-termination
// thread: getter
// truth: holds
// expect: proved
// why: an empty free list is no reason to wait.
#include <pthread.h>
#include <stdlib.h>

int nondet(void);
struct job { int cost; struct job *next; };
static struct job *spare;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *getter(void *unused) {
    struct job *got;
    pthread_mutex_lock(&lock);
    got = spare;
    if (got) spare = got->next;
    pthread_mutex_unlock(&lock);
    if (!got) got = malloc(sizeof *got);
    free(got);
    return unused;
}

static void *giver(void *unused) {
    while (nondet()) {
        struct job *fresh = malloc(sizeof *fresh);
        pthread_mutex_lock(&lock);
        fresh->next = spare;
        spare = fresh;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, getter, 0);
    pthread_create(&b, 0, giver, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
