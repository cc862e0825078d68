/* Nothing ends a wait for nothing. */
static void __model_wait_for_ever(void)
{
    for (;;)
        ;
}

int __wane_select(int count, void *reading, void *writing, void *failing, void *limit)
{
    if (!reading && !writing && !failing && !limit)
        __model_wait_for_ever();
    if (reading)
        __model_write_bytes(reading, 128);
    if (writing)
        __model_write_bytes(writing, 128);
    if (failing)
        __model_write_bytes(failing, 128);
    if (limit)
        __model_write_bytes(limit, 2 * sizeof(long));
    if (count < 0 || __model_some_truth()) {
        __model_fail();
        return -1;
    }
    return __model_result_between(0, count < 1024 ? 3 * count : 3072);
}

struct __model_pollfd {
    int file;
    short wanted;
    short found;
};

int __wane_poll(struct __model_pollfd *files, unsigned long count, int limit)
{
    unsigned long i = 0;
    if (count == 0 && limit < 0)
        __model_wait_for_ever();
    for (i = 0; i < count; i++)
        files[i].found = (short)__model_unknown_int();
    if (__model_some_truth()) {
        __model_fail();
        return -1;
    }
    return __model_result_between(0, 2147483647);
}

/* The size of a file stands behind 48 bytes, or 44, and is not negative. */
static int __model_file_status(char *target)
{
    if (__model_status_with(target, sizeof(long) == 8 ? 144 : 88) < 0)
        return -1;
    __model_assume(*(long *)(target + (sizeof(long) == 8 ? 48 : 44)) >= 0);
    return 0;
}

int __wane_stat(const char *path, void *target)
{
    __wane_strlen(path);
    return __model_file_status(target);
}

int __wane_lstat(const char *path, void *target)
{
    return __wane_stat(path, target);
}

int __wane_fstat(int file, void *target)
{
    return __model_file_status(target);
}

unsigned __wane_umask(unsigned mask)
{
    return __model_result_between(0, 511);
}

int __wane_sched_yield(void)
{
    return 0;
}
