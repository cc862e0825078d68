// Customers wait at a counter. The clerk serves all who wait; some leave by themselves, and the
// door lets more in, but not while the clerk has the desk.
//
//     wane --thread clerk --int-model math examples/counter.c
#include <pthread.h>

extern int arrivals(void);

static int waiting;
static pthread_mutex_t desk = PTHREAD_MUTEX_INITIALIZER;

static void serve(void) {
    __sync_fetch_and_sub(&waiting, 1);
}

static void *clerk(void *unused) {
    pthread_mutex_lock(&desk);
    while (waiting > 0)
        serve();
    pthread_mutex_unlock(&desk);
    return 0;
}

static void *impatience(void *unused) {
    while (arrivals() > 0)
        __sync_fetch_and_sub(&waiting, 1);
    return 0;
}

static void *door(void *unused) {
    for (;;) {
        pthread_mutex_lock(&desk);
        waiting = waiting + arrivals();
        pthread_mutex_unlock(&desk);
    }
    return 0;
}

int main(void) {
    pthread_t threads[3];
    waiting = arrivals();
    pthread_create(&threads[0], 0, clerk, 0);
    pthread_create(&threads[1], 0, impatience, 0);
    pthread_create(&threads[2], 0, door, 0);
    pthread_join(threads[0], 0);
    return 0;
}
