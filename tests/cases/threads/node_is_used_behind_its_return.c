// property: thread-termination
// thread: user
// truth: fails
// expect: refuted
// why: the node is in the list again when the user still waits for what it holds.
#include <pthread.h>
#include <stdlib.h>

struct node { int busy; struct node *next; };
static struct node *first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *user(void *unused) {
    struct node *mine;
    pthread_mutex_lock(&lock);
    mine = first;
    if (mine) first = mine->next;
    pthread_mutex_unlock(&lock);
    if (!mine) return 0;
    mine->busy = 0;
    pthread_mutex_lock(&lock);
    mine->next = first;
    first = mine;
    pthread_mutex_unlock(&lock);
    while (mine->busy)
        ;
    return 0;
}

static void *marker(void *unused) {
    pthread_mutex_lock(&lock);
    if (first) first->busy = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t using, marking;
    first = malloc(sizeof *first);
    if (!first) return 0;
    first->busy = 0;
    first->next = 0;
    pthread_create(&using, 0, user, 0);
    pthread_create(&marking, 0, marker, 0);
    pthread_join(using, 0);
    pthread_join(marking, 0);
    return 0;
}
