static int __model_errno_cell;

int *__wane___errno_location(void)
{
    return &__model_errno_cell;
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
    if (text)
        __wane_strlen(text);
}

char *__wane_strerror(int number)
{
    return __model_lasting_text(200);
}

int __wane_strerror_r(int number, char *buffer, __model_size size)
{
    __model_write_bytes(buffer, size);
    if (size)
        buffer[size - 1] = 0;
    return __model_result_between(0, 133);
}
