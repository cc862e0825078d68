// property: thread-termination
// thread: worker
// options: --int-model=math
// truth: holds
// expect: proved
// why: both actions take at least one job.
#include <pthread.h>

int nondet(void);
static int jobs;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void one(void) { jobs -= 1; }
static void two(void) { jobs -= 2; }
static void (*action)(void);

static void *worker(void *unused) {
    int more = 1;
    while (more) {
        pthread_mutex_lock(&gate);
        more = jobs > 0;
        if (more) action();
        pthread_mutex_unlock(&gate);
    }
    return unused;
}

static void *chooser(void *unused) {
    pthread_mutex_lock(&gate);
    action = two;
    pthread_mutex_unlock(&gate);
    return unused;
}

int main(void) {
    pthread_t first, second;
    action = one;
    jobs = nondet();
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, chooser, 0);
    pthread_join(first, 0);
    return 0;
}
