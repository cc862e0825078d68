// property: memsafety
// truth: fails
// expect: unknown(W015)
// options: --entry count --strict
#include <pthread.h>

static int n_calls;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Strictly, the lock may be held by a caller: taking it once more is undefined (POSIX). */
int count(void)
{
    pthread_mutex_lock(&lock);
    int n = ++n_calls;
    pthread_mutex_unlock(&lock);
    return n;
}
