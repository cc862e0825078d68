// property: thread-termination
// thread: worker
// truth: holds
// expect: proved
// why: nobody adds a job any more: each round of a worker takes one, or is the last.
#include <pthread.h>
#include <stdlib.h>

int nondet(void);
struct job { struct job *next; };
static struct job *jobs;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
    struct job *got;
    do {
        pthread_mutex_lock(&lock);
        got = jobs;
        if (got) jobs = got->next;
        pthread_mutex_unlock(&lock);
    } while (got);
    return 0;
}

int main(void) {
    pthread_t workers[40];
    int i;
    jobs = 0;
    while (nondet()) {
        struct job *new = malloc(sizeof *new);
        if (!new) return 1;
        new->next = jobs;
        jobs = new;
    }
    for (i = 0; i < 40; i++)
        pthread_create(&workers[i], 0, worker, 0);
    for (i = 0; i < 40; i++)
        pthread_join(workers[i], 0);
    return 0;
}
