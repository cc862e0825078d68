// property: thread-termination
// thread: reader
// truth: fails
// expect: refuted
// why: without the lock, each step meets a longer list: a job is put behind it.
#include <pthread.h>
#include <stdlib.h>

int nondet(void);
struct job { int cost; struct job *next; };
static struct job *first;

static void *reader(void *unused) {
    struct job *at = first;
    while (at->next) at = at->next;
    return unused;
}

static void *writer(void *unused) {
    struct job *last = first;
    while (nondet()) {
        struct job *fresh = malloc(sizeof *fresh);
        fresh->next = 0;
        last->next = fresh;
        last = fresh;
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    first = malloc(sizeof *first);
    first->next = 0;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
