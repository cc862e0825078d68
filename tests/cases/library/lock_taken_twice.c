// property: termination
// truth: fails
// expect: unknown(W020)
// options: --entry take
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int is_open;
};

/* The second time it waits for itself. */
int take(struct account *account)
{
    pthread_mutex_lock(&account->lock);
    if (account->is_open)
        pthread_mutex_lock(&account->lock);
    pthread_mutex_unlock(&account->lock);
    return 0;
}
