// property: thread-termination
// thread: holder
// truth: fails
// expect: refuted
// why: the other thread takes the object again after each look.
#include <pthread.h>
#include <stdlib.h>

int nondet(void);
struct object { int n_users; };
static struct object *object;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *holder(void *unused) {
    int n_users = 1;
    while (n_users > 0) {
        pthread_mutex_lock(&lock);
        n_users = object->n_users;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *user(void *unused) {
    while (nondet()) {
        pthread_mutex_lock(&lock);
        object->n_users = object->n_users + 1;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        object->n_users = object->n_users - 1;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    object = malloc(sizeof *object);
    object->n_users = 0;
    pthread_create(&a, 0, holder, 0);
    pthread_create(&b, 0, user, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
