// property: thread-termination
// thread: stepper
// truth: holds
// expect: proved
// why: what the other thread writes into the nodes is not what links them.
#include <pthread.h>
#include <stdlib.h>

int nondet(void);
struct job { int cost; struct job *next; };
static struct job *first;

static void *stepper(void *unused) {
    struct job *at;
    for (at = first; at; at = at->next) {
    }
    return unused;
}

static void *painter(void *unused) {
    while (nondet()) first->cost = nondet();
    return unused;
}

int main(void) {
    pthread_t a, b;
    int n = nondet();
    do {
        struct job *fresh = malloc(sizeof *fresh);
        fresh->next = first;
        first = fresh;
    } while (n-- > 0);
    pthread_create(&a, 0, stepper, 0);
    pthread_create(&b, 0, painter, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
