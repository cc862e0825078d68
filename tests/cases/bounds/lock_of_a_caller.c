// property: memsafety
// truth: holds
// expect: proved
// options: --entry total
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    pthread_rwlock_t names;
    int n_entries;
    int entries[16];
};

static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;

/* Locks of callers, and the file's own. */
int total(struct account *account)
{
    int sum = 0;
    for (int i = 0; i < account->n_entries; i++) {
        pthread_rwlock_rdlock(&account->names);
        sum += account->entries[i & 15] & 1;
        pthread_rwlock_unlock(&account->names);
    }
    pthread_mutex_lock(&account->lock);
    account->n_entries = 0;
    pthread_mutex_unlock(&account->lock);
    pthread_mutex_lock(&busy);
    pthread_mutex_unlock(&busy);
    return sum;
}
