/* Processes: what one does, another does not see, but for what they tell each other. A copy of
   the program goes on as the program does. */
int __wane_fork(void)
{
    if (__model_result_status() < 0)
        return -1;
    return __model_result_input(0, 4194304);
}

int __wane_wait(int *status)
{
    if (__model_result_status() < 0)
        return -1;
    if (status)
        *status = __model_unknown_int();
    return __model_result_between(1, 4194304);
}

int __wane_waitpid(int process, int *status, int flags)
{
    int result = __wane_wait(status);
    /* 1 says not to wait. */
    return (flags & 1) && __model_unknown_int() ? 0 : result;
}

/* Another program begins, or none. */
static int __model_begin_program(const char *path, char *const *arguments)
{
    __wane_strlen(path);
    __model_read_bytes(arguments, sizeof(char *));
    if (__model_some_truth())
        __model_halt();
    __model_fail();
    return -1;
}

int __wane_execv(const char *path, char *const *arguments)
{
    return __model_begin_program(path, arguments);
}

int __wane_execvp(const char *path, char *const *arguments)
{
    return __model_begin_program(path, arguments);
}

int __wane_execve(const char *path, char *const *arguments, char *const *environment)
{
    return __model_begin_program(path, arguments);
}

int __wane_kill(int process, int number)
{
    if (number != 0 && __model_unknown_int())
        __model_halt();
    return __model_result_status();
}

int __wane_raise(int number)
{
    if (number != 0 && __model_unknown_int())
        __model_halt();
    return __model_result_between(-1, 0);
}

int __wane_setsid(void)
{
    return __model_result_status() < 0 ? -1 : __wane_getpid();
}

int __wane_setuid(unsigned user)
{
    return __model_result_status();
}

int __wane_setgid(unsigned group)
{
    return __model_result_status();
}

int __wane_seteuid(unsigned user)
{
    return __model_result_status();
}

int __wane_setegid(unsigned group)
{
    return __model_result_status();
}

int __wane_setpgid(int process, int group)
{
    return __model_result_status();
}

int __wane_nice(int change)
{
    return __model_result_between(-20, 19);
}

int __wane_getrlimit(int which, void *target)
{
    return __model_status_with(target, 2 * sizeof(long));
}

int __wane_setrlimit(int which, const void *limit)
{
    __model_read_bytes(limit, 2 * sizeof(long));
    return __model_result_status();
}

int __wane_getrusage(int who, void *target)
{
    return __model_status_with(target, 18 * sizeof(long));
}

/* Six texts of 65 bytes. */
int __wane_uname(char *target)
{
    int i = 0;
    if (__model_status_with(target, 390) < 0)
        return -1;
    for (i = 0; i < 6; i++)
        target[65 * i + 64] = 0;
    return 0;
}
