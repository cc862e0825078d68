/* Several threads. What stands between these two is one step: no other thread moves. */
void __threads_begin_section(void)
{
}

void __threads_end_section(void)
{
}

/* The step takes a lock that others wait for, gives it back, or asks whether it is held. */
void __threads_begin_acquire(int *lock)
{
}

void __threads_begin_release(int *lock)
{
}

void __threads_begin_try(int *lock)
{
}

void __threads___VERIFIER_atomic_begin(void)
{
    __threads_begin_section();
}

void __threads___VERIFIER_atomic_end(void)
{
    __threads_end_section();
}

/* These are what they are called: the product of the threads knows them by name. */
int __threads_pthread_create(unsigned long *id, const void *attributes, void *(*start)(void *),
                             void *argument)
{
    return 0;
}

int __threads_pthread_join(unsigned long id, void **result)
{
    if (result)
        __model_unsupported("the result of a thread");
    return 0;
}

void __threads_pthread_exit(void *result)
{
}

int __threads_thrd_create(unsigned long *id, int (*start)(void *), void *argument)
{
    return 0;
}

int __threads_pthread_detach(unsigned long id)
{
    return 0;
}

unsigned long __threads_pthread_self(void)
{
    return __model_some_size();
}

void __threads_check_kind(int *lock)
{
    if (lock[sizeof(long) == 8 ? 4 : 3])
        __model_unsupported("a lock of another kind");
}

/* A mutex is a number that is not zero while it is held. Who waits for it makes no steps. What
   kind it is stands behind it: a plain one is 0. */
int __threads_pthread_mutex_init(int *lock, const void *attributes)
{
    if (attributes)
        __model_unsupported("attributes of a lock");
    __model_fill(lock, 0, sizeof(long) == 8 ? 40 : 24);
    return 0;
}

int __threads_pthread_mutex_lock(int *lock)
{
    __threads_begin_acquire(lock);
    __VERIFIER_assume(*lock == 0);
    *lock = 1;
    __threads_check_kind(lock);
    __threads_end_section();
    return 0;
}

int __threads_pthread_mutex_trylock(int *lock)
{
    int held;
    __threads_begin_try(lock);
    held = *lock;
    *lock = 1;
    __threads_check_kind(lock);
    __threads_end_section();
    return held ? 16 : 0;
}

int __threads_pthread_mutex_unlock(int *lock)
{
    __threads_begin_release(lock);
    if (*lock == 0)
        __model_unsupported("a lock that is not held");
    *lock = 0;
    __threads_end_section();
    return 0;
}

int __threads_pthread_mutex_destroy(int *lock)
{
    return 0;
}

int __threads_pthread_spin_init(int *lock, int shared)
{
    *lock = 0;
    return 0;
}

int __threads_pthread_spin_lock(int *lock)
{
    __threads_begin_acquire(lock);
    __VERIFIER_assume(*lock == 0);
    *lock = 1;
    __threads_end_section();
    return 0;
}

int __threads_pthread_spin_trylock(int *lock)
{
    int held;
    __threads_begin_try(lock);
    held = *lock;
    *lock = 1;
    __threads_end_section();
    return held ? 16 : 0;
}

int __threads_pthread_spin_unlock(int *lock)
{
    return __threads_pthread_mutex_unlock(lock);
}

/* The number of readers, or -1 for a writer. */
int __threads_pthread_rwlock_init(int *lock, const void *attributes)
{
    *lock = 0;
    return 0;
}

int __threads_pthread_rwlock_rdlock(int *lock)
{
    __threads_begin_section();
    __VERIFIER_assume(*lock >= 0);
    *lock = *lock + 1;
    __threads_end_section();
    return 0;
}

int __threads_pthread_rwlock_wrlock(int *lock)
{
    __threads_begin_section();
    __VERIFIER_assume(*lock == 0);
    *lock = -1;
    __threads_end_section();
    return 0;
}

int __threads_pthread_rwlock_unlock(int *lock)
{
    __threads_begin_section();
    if (*lock == 0)
        __model_unsupported("a lock that is not held");
    if (*lock < 0)
        *lock = 0;
    else
        *lock = *lock - 1;
    __threads_end_section();
    return 0;
}

/* A thread may wake up without a reason (POSIX): so nothing need be said of signals. */
int __threads_pthread_cond_init(void *condition, const void *attributes)
{
    return 0;
}

int __threads_pthread_cond_wait(void *condition, int *lock)
{
    __threads_pthread_mutex_unlock(lock);
    __threads_pthread_mutex_lock(lock);
    return 0;
}

int __threads_pthread_cond_signal(void *condition)
{
    return 0;
}

int __threads_pthread_cond_broadcast(void *condition)
{
    return 0;
}

int __threads_pthread_cond_destroy(void *condition)
{
    return 0;
}

int __threads_sem_init(int *semaphore, int shared, unsigned value)
{
    *semaphore = value;
    return 0;
}

int __threads_sem_wait(int *semaphore)
{
    __threads_begin_section();
    __VERIFIER_assume(*semaphore > 0);
    *semaphore = *semaphore - 1;
    __threads_end_section();
    return 0;
}

int __threads_sem_post(int *semaphore)
{
    __threads_begin_section();
    *semaphore = *semaphore + 1;
    __threads_end_section();
    return 0;
}

int __threads_sem_destroy(int *semaphore)
{
    return 0;
}
