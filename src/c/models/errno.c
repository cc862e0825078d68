static int __model_errno_cell;

/* Whether a function that says nothing about `errno` may have set it. */
static int __model_errno_is_old;

/* Such a function never sets it to zero. The value is made where the program looks, since
   a run with a value that is not modelled is no counterexample. __model_disturb */
int *__wane___errno_location(void)
{
    if (__model_errno_is_old) {
        int reason = __model_unknown_int();
        if (reason > 0 && reason < 134)
            __model_errno_cell = reason;
        __model_errno_is_old = 0;
    }
    return &__model_errno_cell;
}

void __model_disturb(void)
{
    __model_errno_is_old = 1;
}

/* A result is out of range. */
void __model_out_of_range(void)
{
    __model_errno_cell = 34;
    __model_errno_is_old = 0;
}

/* Sets `errno` to some reason. That a call was interrupted, or is to be tried again later,
   is not for ever, and so no part of a counterexample. */
void __model_fail(void)
{
    int reason = __model_some_int();
    __model_assume(reason > 0);
    __model_assume(reason < 134);
    if (reason == 4 || reason == 11)
        reason = __model_unknown_int() ? 4 : 11;
    __model_errno_cell = reason;
    __model_errno_is_old = 0;
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
