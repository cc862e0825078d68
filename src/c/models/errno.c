static int __model_errno_cell;

/* __model_disturb */
int *__wane___errno_location(void)
{
    return &__model_errno_cell;
}

/* A function that says nothing about `errno` may set it, but never to zero. */
void __model_disturb(void)
{
    int reason = __model_unknown_int();
    if (reason > 0 && reason < 134)
        __model_errno_cell = reason;
}

/* A result is out of range. */
void __model_out_of_range(void)
{
    __model_errno_cell = 34;
}

/* Sets `errno` to some reason. */
void __model_fail(void)
{
    int reason = __model_some_int();
    __model_assume(reason > 0);
    __model_assume(reason < 134);
    __model_errno_cell = reason;
}

void __wane_perror(const char *text)
{
    __optional_use_errors();
    if (text)
        __wane_strlen(text);
}

static char *__model_error_text;

char *__wane_strerror(int number)
{
    return __model_fixed_text(&__model_error_text, 200);
}

int __wane_strerror_r(int number, char *buffer, __model_size size)
{
    __model_write_bytes(buffer, size);
    if (size)
        buffer[size - 1] = 0;
    return __model_result_between(0, 133);
}
