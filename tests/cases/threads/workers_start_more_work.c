// property: thread-termination
// thread: worker
// truth: fails
// expect: refuted
// why: a worker may add a job in each round, and so keep another one busy.
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
        if (got && nondet()) {
            pthread_mutex_lock(&lock);
            got->next = jobs;
            jobs = got;
            pthread_mutex_unlock(&lock);
        }
    } while (got);
    return 0;
}

int main(void) {
    pthread_t workers[20];
    int i;
    jobs = malloc(sizeof *jobs);
    if (!jobs) return 1;
    jobs->next = 0;
    for (i = 0; i < 20; i++)
        pthread_create(&workers[i], 0, worker, 0);
    for (i = 0; i < 20; i++)
        pthread_join(workers[i], 0);
    return 0;
}
