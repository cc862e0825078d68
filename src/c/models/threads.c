/* Several threads. What stands between these two is one step: no other thread moves. */
void __threads_begin_section(void)
{
}

void __threads_end_section(void)
{
}

/* The step takes a lock that others wait for, gives it back, or asks whether it is held, as do
   steps with what is no mutex. */
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

/* Waits until a thread has ended. The product knows this one, and the next two. */
void __threads_wait_for(unsigned long id)
{
}

/* What a thread that has ended has returned: an address, or a number. */
void *__threads_result_of(unsigned long id)
{
    return __model_unknown_pointer();
}

int __threads_number_of(unsigned long id)
{
    return __model_unknown_int();
}

int __threads_pthread_join(unsigned long id, void **result)
{
    __threads_wait_for(id);
    if (result)
        *result = __threads_result_of(id);
    return 0;
}

int __threads_thrd_join(unsigned long id, int *result)
{
    __threads_wait_for(id);
    if (result)
        *result = __threads_number_of(id);
    return 0;
}

void __threads_pthread_exit(void *result)
{
}

void __threads_thrd_exit(int result)
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

int __threads_thrd_detach(unsigned long id)
{
    return 0;
}

/* The number of the thread that runs this, which is none of 0 and 1, and what it is called. The
   product knows both. */
int __threads_self(void)
{
    return __model_unknown_int();
}

unsigned long __threads_name(void)
{
    return __model_unknown_int();
}

unsigned long __threads_pthread_self(void)
{
    return __threads_name();
}

unsigned long __threads_thrd_current(void)
{
    return __threads_name();
}

int __threads_pthread_equal(unsigned long one, unsigned long other)
{
    return one == other;
}

int __threads_thrd_equal(unsigned long one, unsigned long other)
{
    return one == other;
}

int __threads_pthread_yield(void)
{
    return 0;
}

void __threads_thrd_yield(void)
{
}

int __threads_thrd_sleep(const void *time, void *rest)
{
    if (rest)
        __model_unsupported("how long a thread has slept");
    return 0;
}

/* Nobody cancels a thread: that is not modelled. */
void __threads_pthread_testcancel(void)
{
}

/* Each thread has one of its own: what it holds is not followed. */
int *__threads___errno_location(void)
{
    int *cell = __model_lasting(sizeof(int));
    *cell = __model_unknown_int();
    return cell;
}

/* What is said of a thread before it starts changes nothing of what it does. */
int __threads_pthread_attr_init(void *attributes)
{
    return 0;
}

int __threads_pthread_attr_destroy(void *attributes)
{
    return 0;
}

int __threads_pthread_attr_setdetachstate(void *attributes, int state)
{
    return 0;
}

int __threads_pthread_attr_setstacksize(void *attributes, unsigned long size)
{
    return 0;
}

/* What kind a lock is of stands behind it, where the C library of GNU has it: 0 is a plain one,
   1 a recursive one, 2 one that finds errors, 3 a plain one that is taken more quickly. */
int __threads_lock_kind(int *lock)
{
    int kind = lock[sizeof(long) == 8 ? 4 : 3];
    if (kind < 0 || kind > 3)
        __model_unsupported("a lock of another kind");
    return kind;
}

void __threads_lock_set_kind(int *lock, int kind)
{
    __model_fill(lock, 0, sizeof(long) == 8 ? 40 : 24);
    lock[sizeof(long) == 8 ? 4 : 3] = kind;
}

int __threads_pthread_mutexattr_init(int *attributes)
{
    *attributes = 0;
    return 0;
}

int __threads_pthread_mutexattr_destroy(int *attributes)
{
    return 0;
}

int __threads_pthread_mutexattr_settype(int *attributes, int kind)
{
    if (kind < 0 || kind > 3)
        return 22;
    *attributes = kind;
    return 0;
}

int __threads_pthread_mutexattr_gettype(int *attributes, int *kind)
{
    *kind = *attributes;
    return 0;
}

/* A mutex is a number that is 0 while nobody holds it. Who waits for it makes no steps. A plain
   one is 1 while it is held; one of another kind is the number of the thread that holds it, and
   counts behind it how often it is to be given back beside. */
int __threads_pthread_mutex_init(int *lock, int *attributes)
{
    if (attributes)
        __threads_lock_set_kind(lock, *attributes);
    else
        __model_fill(lock, 0, sizeof(long) == 8 ? 40 : 24);
    return 0;
}

int __threads_mtx_init(int *lock, int kind)
{
    __threads_lock_set_kind(lock, kind & 1);
    return 0;
}

/* Whether a lock is known to be a plain one: this is answered where the code of threads is put
   together. */
int __threads_is_plain(int *lock)
{
    return 0;
}

/* Takes a lock that nobody holds. */
void __threads_lock_take(int *lock, int self)
{
    int kind = __threads_lock_kind(lock);
    *lock = kind == 1 || kind == 2 ? self : 1;
}

void __threads_lock_again(int *lock)
{
    lock[1] = lock[1] + 1;
}

int __threads_lock_of_any_kind(int *lock)
{
    int self = __threads_self(), held, result = 0;
    __threads_begin_acquire(lock);
    held = *lock;
    __VERIFIER_assume((held == 0) | (held == self));
    if (held == 0) {
        __threads_lock_take(lock, self);
    } else {
        /* A plain one is never the number of a thread. */
        int kind = __threads_lock_kind(lock);
        __VERIFIER_assume(kind == 1 || kind == 2);
        if (kind == 1)
            __threads_lock_again(lock);
        else
            result = 35;
    }
    __threads_end_section();
    return result;
}

int __threads_pthread_mutex_lock(int *lock)
{
    if (!__threads_is_plain(lock))
        return __threads_lock_of_any_kind(lock);
    __threads_begin_acquire(lock);
    __VERIFIER_assume(*lock == 0);
    *lock = 1;
    __threads_end_section();
    return 0;
}

int __threads_mtx_lock(int *lock)
{
    return __threads_pthread_mutex_lock(lock);
}

/* Takes a lock or fails with this number. */
int __threads_lock_try(int *lock, int busy, int again)
{
    int self, held, result = busy;
    if (__threads_is_plain(lock)) {
        __threads_begin_try(lock);
        held = *lock;
        *lock = 1;
        __threads_end_section();
        return held ? busy : 0;
    }
    self = __threads_self();
    __threads_begin_try(lock);
    held = *lock;
    if (held == 0) {
        __threads_lock_take(lock, self);
        result = 0;
    } else if (held == self) {
        int kind = __threads_lock_kind(lock);
        if (kind == 1) {
            __threads_lock_again(lock);
            result = 0;
        } else if (kind == 2) {
            result = again;
        }
    }
    __threads_end_section();
    return result;
}

int __threads_pthread_mutex_trylock(int *lock)
{
    return __threads_lock_try(lock, 16, 16);
}

int __threads_mtx_trylock(int *lock)
{
    return __threads_lock_try(lock, 1, 1);
}

/* Who waits makes no steps: who moves while the lock is held has waited for too long. */
int __threads_pthread_mutex_timedlock(int *lock, const void *time)
{
    return __threads_lock_try(lock, 110, 35);
}

int __threads_pthread_mutex_clocklock(int *lock, int clock, const void *time)
{
    return __threads_lock_try(lock, 110, 35);
}

int __threads_mtx_timedlock(int *lock, const void *time)
{
    return __threads_lock_try(lock, 4, 2);
}

int __threads_lock_give_back_any(int *lock)
{
    int self = __threads_self(), held, kind, result = 0;
    __threads_begin_release(lock);
    held = *lock;
    kind = __threads_lock_kind(lock);
    if (kind == 0 || kind == 3) {
        if (held == 0)
            __model_undefined("a lock that is not held");
        *lock = 0;
    } else if (held != self) {
        result = 1;
    } else if (lock[1]) {
        lock[1] = lock[1] - 1;
    } else {
        *lock = 0;
    }
    __threads_end_section();
    return result;
}

int __threads_pthread_mutex_unlock(int *lock)
{
    if (!__threads_is_plain(lock))
        return __threads_lock_give_back_any(lock);
    return __threads_lock_give_back(lock);
}

int __threads_lock_give_back(int *lock)
{
    __threads_begin_release(lock);
    if (*lock == 0)
        __model_undefined("a lock that is not held");
    *lock = 0;
    __threads_end_section();
    return 0;
}

int __threads_mtx_unlock(int *lock)
{
    return __threads_pthread_mutex_unlock(lock);
}

int __threads_pthread_mutex_destroy(int *lock)
{
    return 0;
}

void __threads_mtx_destroy(int *lock)
{
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
    return __threads_lock_give_back(lock);
}

int __threads_pthread_spin_destroy(int *lock)
{
    return 0;
}

/* The number of readers, or -1 for a writer. */
int __threads_pthread_rwlock_init(int *lock, const void *attributes)
{
    *lock = 0;
    return 0;
}

int __threads_pthread_rwlock_rdlock(int *lock)
{
    __threads_begin_try(lock);
    __VERIFIER_assume(*lock >= 0);
    *lock = *lock + 1;
    __threads_end_section();
    return 0;
}

int __threads_pthread_rwlock_wrlock(int *lock)
{
    __threads_begin_try(lock);
    __VERIFIER_assume(*lock == 0);
    *lock = -1;
    __threads_end_section();
    return 0;
}

/* Takes a lock for reading or writing, or fails with this number. */
int __threads_lock_try_read(int *lock, int busy)
{
    int held;
    __threads_begin_try(lock);
    held = *lock;
    if (held >= 0)
        *lock = held + 1;
    __threads_end_section();
    return held >= 0 ? 0 : busy;
}

int __threads_lock_try_write(int *lock, int busy)
{
    int held;
    __threads_begin_try(lock);
    held = *lock;
    if (held == 0)
        *lock = -1;
    __threads_end_section();
    return held == 0 ? 0 : busy;
}

int __threads_pthread_rwlock_tryrdlock(int *lock)
{
    return __threads_lock_try_read(lock, 16);
}

int __threads_pthread_rwlock_trywrlock(int *lock)
{
    return __threads_lock_try_write(lock, 16);
}

int __threads_pthread_rwlock_timedrdlock(int *lock, const void *time)
{
    return __threads_lock_try_read(lock, 110);
}

int __threads_pthread_rwlock_timedwrlock(int *lock, const void *time)
{
    return __threads_lock_try_write(lock, 110);
}

int __threads_pthread_rwlock_destroy(int *lock)
{
    return 0;
}

int __threads_pthread_rwlock_unlock(int *lock)
{
    __threads_begin_release(lock);
    if (*lock == 0)
        __model_undefined("a lock that is not held");
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

/* It may be too late, or not. */
int __threads_pthread_cond_timedwait(void *condition, int *lock, const void *time)
{
    __threads_pthread_mutex_unlock(lock);
    __threads_pthread_mutex_lock(lock);
    return __model_some_truth() ? 110 : 0;
}

int __threads_pthread_cond_clockwait(void *condition, int *lock, int clock, const void *time)
{
    return __threads_pthread_cond_timedwait(condition, lock, time);
}

int __threads_pthread_cond_signal(void *condition)
{
    return 0;
}

int __threads_pthread_cond_broadcast(void *condition)
{
    return 0;
}

int __threads_cnd_init(void *condition)
{
    return 0;
}

int __threads_cnd_wait(void *condition, int *lock)
{
    return __threads_pthread_cond_wait(condition, lock);
}

int __threads_cnd_timedwait(void *condition, int *lock, const void *time)
{
    return __threads_pthread_cond_timedwait(condition, lock, time) ? 4 : 0;
}

int __threads_cnd_signal(void *condition)
{
    return 0;
}

int __threads_cnd_broadcast(void *condition)
{
    return 0;
}

void __threads_cnd_destroy(void *condition)
{
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
    __threads_begin_try(semaphore);
    __VERIFIER_assume(*semaphore > 0);
    *semaphore = *semaphore - 1;
    __threads_end_section();
    return 0;
}

int __threads_sem_post(int *semaphore)
{
    __threads_begin_release(semaphore);
    *semaphore = *semaphore + 1;
    __threads_end_section();
    return 0;
}

int __threads_sem_destroy(int *semaphore)
{
    return 0;
}

int __threads_sem_trywait(int *semaphore)
{
    int value;
    __threads_begin_try(semaphore);
    value = *semaphore;
    if (value > 0)
        *semaphore = value - 1;
    __threads_end_section();
    return value > 0 ? 0 : -1;
}

int __threads_sem_timedwait(int *semaphore, const void *time)
{
    return __threads_sem_trywait(semaphore);
}

int __threads_sem_getvalue(int *semaphore, int *value)
{
    *value = *semaphore;
    return 0;
}

/* A barrier: how many are to come, how many have, and how often it was opened. */
int __threads_pthread_barrier_init(unsigned *barrier, const void *attributes, unsigned count)
{
    if (attributes)
        __model_unsupported("attributes of a barrier");
    if (count == 0)
        return 22;
    barrier[0] = count;
    barrier[1] = 0;
    barrier[2] = 0;
    return 0;
}

int __threads_pthread_barrier_wait(unsigned *barrier)
{
    unsigned round, come;
    __threads_begin_try((int *)barrier);
    round = barrier[2];
    come = barrier[1] + 1;
    if (come == barrier[0]) {
        barrier[1] = 0;
        barrier[2] = round + 1;
        __threads_end_section();
        return -1;
    }
    barrier[1] = come;
    __threads_end_section();
    __threads_begin_try((int *)barrier);
    __VERIFIER_assume(barrier[2] != round);
    __threads_end_section();
    return 0;
}

int __threads_pthread_barrier_destroy(unsigned *barrier)
{
    return 0;
}

/* 1 while the function runs, 2 when it has run. */
int __threads_pthread_once(int *control, void (*start)(void))
{
    int before;
    __threads_begin_try(control);
    before = *control;
    if (before == 0)
        *control = 1;
    __threads_end_section();
    if (before == 0) {
        start();
        __threads_begin_try(control);
        *control = 2;
        __threads_end_section();
        return 0;
    }
    if (before == 1) {
        __threads_begin_try(control);
        __VERIFIER_assume(*control == 2);
        __threads_end_section();
    }
    return 0;
}

void __threads_call_once(int *control, void (*start)(void))
{
    __threads_pthread_once(control, start);
}
