/* Locks of one thread: a number that is not zero while it is held. A function by itself may come
   to a lock that somebody else holds: it waits then, and how others go on is not its own matter.
   But what it holds itself it must not take again: so it takes one at a time. */

/* Where the first lock is that was taken here and not given back. */
static __model_size __model_own_lock;

static int __model_take(int *lock)
{
    if (*lock != 0) {
        if (__model_own_lock && __model_own_lock != (__model_size)lock)
            __model_unsupported("a lock that is taken while another one is held");
        if (__model_own_lock || !__model_awaits())
            __model_unsupported("a lock that is held already");
    }
    if (!__model_own_lock)
        __model_own_lock = (__model_size)lock;
    *lock = 1;
    return 0;
}

static int __model_give_back(int *lock)
{
    if (*lock == 0 && !__model_awaits())
        __model_undefined("a lock that is not held");
    if (__model_own_lock == (__model_size)lock)
        __model_own_lock = 0;
    *lock = 0;
    return 0;
}

/* Makes a lock or a condition of so many bytes. */
static int __model_make_lock(void *lock, const void *attributes, __model_size size)
{
    if (attributes)
        __model_unsupported("attributes of a lock or a condition");
    __model_fill(lock, 0, size);
    return 0;
}

static int __model_look_at_lock(const void *lock)
{
    __model_read_bytes(lock, sizeof(int));
    return 0;
}

int __wane_pthread_mutex_init(int *lock, const void *attributes)
{
    return __model_make_lock(lock, attributes, sizeof(long) == 8 ? 40 : 24);
}

int __wane_pthread_mutex_lock(int *lock)
{
    return __model_take(lock);
}

int __wane_pthread_mutex_trylock(int *lock)
{
    if (*lock != 0) {
        if (lock[sizeof(long) == 8 ? 4 : 3]) {
            if (!__model_awaits())
                __model_unsupported("a lock of another kind");
            if (__model_some_truth())
                return 0;
        }
        return 16;
    }
    return __model_take(lock);
}

int __wane_pthread_mutex_unlock(int *lock)
{
    return __model_give_back(lock);
}

int __wane_pthread_mutex_destroy(int *lock)
{
    return __model_look_at_lock(lock);
}

int __wane_pthread_rwlock_init(int *lock, const void *attributes)
{
    return __model_make_lock(lock, attributes, sizeof(long) == 8 ? 56 : 32);
}

int __wane_pthread_rwlock_wrlock(int *lock)
{
    return __model_take(lock);
}

/* Several readers at once are several threads. */
int __wane_pthread_rwlock_rdlock(int *lock)
{
    return __model_take(lock);
}

int __wane_pthread_rwlock_unlock(int *lock)
{
    return __model_give_back(lock);
}

int __wane_pthread_rwlock_destroy(int *lock)
{
    return __model_look_at_lock(lock);
}

int __wane_pthread_spin_init(int *lock, int shared)
{
    return __model_make_lock(lock, 0, sizeof(int));
}

int __wane_pthread_spin_lock(int *lock)
{
    return __model_take(lock);
}

int __wane_pthread_spin_unlock(int *lock)
{
    return __model_give_back(lock);
}

int __wane_pthread_spin_destroy(int *lock)
{
    return __model_look_at_lock(lock);
}

int __wane_pthread_cond_init(void *condition, const void *attributes)
{
    return __model_make_lock(condition, attributes, 48);
}

/* Nobody waits. */
int __wane_pthread_cond_signal(void *condition)
{
    return __model_look_at_lock(condition);
}

int __wane_pthread_cond_broadcast(void *condition)
{
    return __model_look_at_lock(condition);
}

int __wane_pthread_cond_destroy(void *condition)
{
    return __model_look_at_lock(condition);
}
