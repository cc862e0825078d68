// property: thread-termination
// thread: popper
// truth: holds
// expect: proved
// why: it waits twice; who waits makes no steps.
#include <pthread.h>

int nondet(void);
#include <semaphore.h>
static sem_t filled;

static void *popper(void *unused) {
    int left = 2;
    while (left > 0) {
        sem_wait(&filled);
        left--;
    }
    return unused;
}

static void *giver(void *unused) {
    while (nondet()) sem_post(&filled);
    return unused;
}

int main(void) {
    pthread_t a, b;
    sem_init(&filled, 0, 1);
    pthread_create(&a, 0, popper, 0);
    pthread_create(&b, 0, giver, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
