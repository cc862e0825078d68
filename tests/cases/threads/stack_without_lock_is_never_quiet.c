// property: thread-termination
// thread: pusher
// truth: fails
// expect: refuted
// why: each time another thread is faster.
#include <pthread.h>
#include <stdlib.h>

int nondet(void);
struct job { int cost; struct job *next; };
static struct job *top;

static void *pusher(void *unused) {
    struct job *fresh = malloc(sizeof *fresh);
    do {
        fresh->next = top;
    } while (!__sync_bool_compare_and_swap(&top, fresh->next, fresh));
    return unused;
}

static void *other(void *unused) {
    struct job *own = malloc(sizeof *own);
    while (nondet()) {
        own->next = 0;
        __sync_lock_test_and_set(&top, own);
        __sync_lock_test_and_set(&top, 0);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, pusher, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
