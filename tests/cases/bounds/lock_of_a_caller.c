// property: memsafety
// truth: holds
// expect: proved
// options: --entry count
#include <pthread.h>

struct counter {
    int n;
    pthread_mutex_t lock;
};

/* The lock lies behind a number in what the caller made. */
int count(struct counter *counter)
{
    pthread_mutex_lock(&counter->lock);
    int n = ++counter->n;
    pthread_mutex_unlock(&counter->lock);
    return n;
}
