// property: thread-termination
// thread: pusher
// truth: holds
// expect: proved
// why: the other thread pushes once, so it is in the way once.
#include <pthread.h>
#include <stdlib.h>

int nondet(void);
struct job { int cost; struct job *next; };
static struct job *top;

static void *pusher(void *unused) {
    struct job *fresh = malloc(sizeof *fresh);
    struct job *seen;
    do {
        seen = top;
        fresh->next = seen;
    } while (!__sync_bool_compare_and_swap(&top, seen, fresh));
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, pusher, 0);
    pthread_create(&b, 0, pusher, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
