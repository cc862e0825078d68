// property: thread-termination
// thread: walker
// truth: fails
// expect: refuted
// why: the walker reads on without the lock, and meanwhile the first node comes to follow itself.
#include <pthread.h>
#include <stdlib.h>

struct node { struct node *next; };
static struct node *first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *walker(void *unused) {
    struct node *at;
    pthread_mutex_lock(&lock);
    at = first;
    pthread_mutex_unlock(&lock);
    while (at)
        at = at->next;
    return 0;
}

static void *knotter(void *unused) {
    pthread_mutex_lock(&lock);
    if (first) first->next = first;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t walking, knotting;
    first = malloc(sizeof *first);
    if (!first) return 0;
    first->next = 0;
    pthread_create(&walking, 0, walker, 0);
    pthread_create(&knotting, 0, knotter, 0);
    pthread_join(walking, 0);
    pthread_join(knotting, 0);
    return 0;
}
