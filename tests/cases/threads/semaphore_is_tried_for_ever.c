// property: thread-termination
// thread: taker
// truth: fails
// expect: refuted
// why: the giver need not post before the next try.
#include <pthread.h>
#include <semaphore.h>

static sem_t tokens;

static void *taker(void *unused) {
    while (sem_trywait(&tokens) != 0) ;
    return unused;
}

static void *giver(void *unused) {
    sem_post(&tokens);
    return unused;
}

int main(void) {
    pthread_t first, second;
    sem_init(&tokens, 0, 0);
    pthread_create(&first, 0, taker, 0);
    pthread_create(&second, 0, giver, 0);
    pthread_join(first, 0);
    return 0;
}
