// property: thread-termination
// thread: walker
// truth: fails
// expect: refuted
// why: the list is made a ring while it is walked.
#include <pthread.h>
#include <stdlib.h>

int nondet(void);
struct job { int cost; struct job *next; };
static struct job *first;

static void *walker(void *unused) {
    struct job *at;
    for (at = first; at; at = at->next) {
    }
    return unused;
}

static void *closer(void *unused) {
    first->next = first;
    return unused;
}

int main(void) {
    pthread_t a, b;
    first = malloc(sizeof *first);
    first->next = 0;
    pthread_create(&a, 0, walker, 0);
    pthread_create(&b, 0, closer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
