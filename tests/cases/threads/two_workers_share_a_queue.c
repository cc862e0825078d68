// property: thread-termination
// thread: worker
// truth: holds
// expect: proved
// why: the other thread only takes jobs away.
#include <pthread.h>
#include <stdlib.h>

int nondet(void);
struct job { int cost; struct job *next; };
static struct job *queue;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
    for (;;) {
        struct job *first;
        pthread_mutex_lock(&lock);
        first = queue;
        if (first) queue = first->next;
        pthread_mutex_unlock(&lock);
        if (!first) break;
        free(first);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    int n = nondet();
    while (n > 0) {
        struct job *fresh = malloc(sizeof *fresh);
        fresh->next = queue;
        queue = fresh;
        n--;
    }
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
