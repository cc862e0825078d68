// property: thread-termination
// thread: last
// truth: holds
// expect: proved
// why: each round gives one reference back, and nobody takes one.
#include <pthread.h>
#include <stdlib.h>

int nondet(void);
struct object { int n_users; };
static struct object *object;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int give_back(void) {
    int left;
    pthread_mutex_lock(&lock);
    object->n_users = object->n_users - 1;
    left = object->n_users;
    pthread_mutex_unlock(&lock);
    return left;
}

static void *last(void *unused) {
    while (give_back() > 0) {
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    object = malloc(sizeof *object);
    object->n_users = nondet();
    pthread_create(&a, 0, last, 0);
    pthread_create(&b, 0, last, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
