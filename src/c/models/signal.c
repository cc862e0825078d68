/* Signals: what handlers do, and when, is not modelled; that a signal is ignored, or does what
   it does by itself, is no handler. */
typedef void __model_handler(int);

static void __model_handle(__model_handler *handler)
{
    if (handler != (__model_handler *)0 && handler != (__model_handler *)1
        && handler != (__model_handler *)-1)
        __model_unsupported("a function that handles signals");
}

__model_handler *__wane_signal(int number, __model_handler *handler)
{
    __model_handle(handler);
    return (__model_handler *)(__model_difference)__model_result_between(-1, 1);
}

int __wane_sigaction(int number, const void *action, void *before)
{
    __model_size size = sizeof(long) == 8 ? 152 : 140;
    if (action) {
        __model_read_bytes(action, size);
        __model_handle(*(__model_handler *const *)action);
    }
    if (!before)
        return __model_result_status();
    if (__model_status_with(before, size) < 0)
        return -1;
    *(__model_handler **)before = (__model_handler *)(__model_difference)__model_result_between(0, 1);
    return 0;
}

int __wane_sigemptyset(void *set)
{
    __model_fill(set, 0, 128);
    return 0;
}

int __wane_sigfillset(void *set)
{
    __model_write_bytes(set, 128);
    return 0;
}

int __wane_sigaddset(void *set, int number)
{
    __model_read_bytes(set, 128);
    __model_write_bytes(set, 128);
    return __model_result_status();
}

int __wane_sigdelset(void *set, int number)
{
    return __wane_sigaddset(set, number);
}

int __wane_sigismember(const void *set, int number)
{
    __model_read_bytes(set, 128);
    return __model_result_between(-1, 1);
}

int __wane_sigprocmask(int way, const void *set, void *before)
{
    if (set)
        __model_read_bytes(set, 128);
    return before ? __model_status_with(before, 128) : __model_result_status();
}

int __wane_pthread_sigmask(int way, const void *set, void *before)
{
    return __wane_sigprocmask(way, set, before) ? __model_result_between(1, 133) : 0;
}
