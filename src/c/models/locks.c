/* Locks of one thread: a number that is not zero while it is held. A function by itself may come
   to a lock that somebody else holds: it waits then, and how others go on is not its own matter.
   But what it holds itself it must not take again: so it takes one at a time. */

/* Where the first lock is that was taken here and not given back. */
static __model_size __model_own_lock;

static void __model_take(int *lock, int held)
{
    if (*lock != 0) {
        if (__model_own_lock && __model_own_lock != (__model_size)lock)
            __model_unsupported("a lock that is taken while another one is held");
        if (__model_own_lock || !__model_awaits())
            __model_unsupported("a lock that is held already");
    }
    if (!__model_own_lock)
        __model_own_lock = (__model_size)lock;
    *lock = held;
}

static void __model_give_back(int *lock)
{
    if (*lock == 0 && !__model_awaits())
        __model_undefined("a lock that is not held");
    if (__model_own_lock == (__model_size)lock)
        __model_own_lock = 0;
    *lock = 0;
}

int __wane_pthread_mutex_init(int *lock, const void *attributes)
{
    if (attributes)
        __model_unsupported("attributes of a lock");
    __model_fill(lock, 0, sizeof(long) == 8 ? 40 : 24);
    return 0;
}

int __wane_pthread_mutex_lock(int *lock)
{
    __model_take(lock, 1);
    return 0;
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
    __model_take(lock, 1);
    return 0;
}

int __wane_pthread_mutex_unlock(int *lock)
{
    __model_give_back(lock);
    return 0;
}

int __wane_pthread_mutex_destroy(int *lock)
{
    __model_read_bytes(lock, sizeof(int));
    return 0;
}

/* A lock for one writer, who holds 1, or for several readers, who hold 2 each. */
int __wane_pthread_rwlock_init(int *lock, const void *attributes)
{
    if (attributes)
        __model_unsupported("attributes of a lock");
    __model_fill(lock, 0, sizeof(long) == 8 ? 56 : 32);
    return 0;
}

int __wane_pthread_rwlock_wrlock(int *lock)
{
    __model_take(lock, 1);
    return 0;
}

int __wane_pthread_rwlock_rdlock(int *lock)
{
    __model_take(lock, 2);
    return 0;
}

int __wane_pthread_rwlock_unlock(int *lock)
{
    __model_give_back(lock);
    return 0;
}

int __wane_pthread_rwlock_destroy(int *lock)
{
    __model_read_bytes(lock, sizeof(int));
    return 0;
}

int __wane_pthread_spin_init(int *lock, int shared)
{
    *lock = 0;
    return 0;
}

int __wane_pthread_spin_lock(int *lock)
{
    __model_take(lock, 1);
    return 0;
}

int __wane_pthread_spin_unlock(int *lock)
{
    __model_give_back(lock);
    return 0;
}

int __wane_pthread_spin_destroy(int *lock)
{
    __model_read_bytes(lock, sizeof(int));
    return 0;
}

/* Nobody waits. */
int __wane_pthread_cond_init(void *condition, const void *attributes)
{
    if (attributes)
        __model_unsupported("attributes of a condition");
    __model_fill(condition, 0, 48);
    return 0;
}

int __wane_pthread_cond_signal(void *condition)
{
    __model_read_bytes(condition, sizeof(int));
    return 0;
}

int __wane_pthread_cond_broadcast(void *condition)
{
    __model_read_bytes(condition, sizeof(int));
    return 0;
}

int __wane_pthread_cond_destroy(void *condition)
{
    __model_read_bytes(condition, sizeof(int));
    return 0;
}
