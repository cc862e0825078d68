/* What the models are made of. Functions that have no body here are known to the
   front end: `some` values are inputs, which a counterexample may choose; `unknown`
   values are not modelled, so that no counterexample may rest on them. A function whose
   name starts with `result` has no effect but its result. A helper may be called as
   `__optional_…`: that happens only in programs that get it for another reason, such as a
   comment, and yields zero in others. */

typedef __typeof__(sizeof(int)) __model_size;

typedef __typeof__((char *)0 - (char *)0) __model_difference;

/* The run ends silently unless the condition holds. */
extern void __model_assume(int condition);

/* What comes here is not modelled. */
extern void __model_unsupported(const char *what);

/* What memory holds behind this is not modelled. */
extern void __model_clobber(const char *what);

/* What comes here is undefined. */
extern void __model_undefined(const char *what);

/* Whether it is taken for granted that others keep to their part: in a function by itself. */
extern int __model_awaits(void);

/* The program ends. */
extern void __model_halt(void);

/* A heap block, or null where `malloc` may fail. */
extern void *__model_allocate(__model_size size);

/* The same, zeroed. */
extern void *__model_allocate_zeroed(__model_size count, __model_size size);

/* Ends a heap block; null is ignored. */
extern void __model_release(void *block);

/* A block that lives until the model returns. */
extern void *__model_temporary(__model_size size);

/* A block that lives for ever. */
extern void *__model_lasting(__model_size size);

/* A block that is an open stream. */
extern void *__model_begin_stream(__model_size size);

/* Ends a block that is an open stream. */
extern void __model_end_stream(void *stream);

extern void *__model_copy(void *target, const void *source, __model_size size);

/* The same; that the bytes overlap is undefined, unless they are the same ones. */
extern void *__model_copy_apart(void *target, const void *source, __model_size size);

/* From here on a block is constant. */
extern void __model_seal(void *block);

extern void *__model_fill(void *target, int byte, __model_size size);

extern int __model_some_int(void);
/* Numbers of fewer bits than those that `scanf` stores: reports tell them from these. */
extern short __model_some_letter(void);
extern signed char __model_some_char(void);

extern __model_size __model_some_size(void);

extern long long __model_some_wide(void);

/* How often a stream can be read that has just been opened: a large number. */
extern unsigned long long __model_some_rounds(void);

extern int __model_unknown_int(void);

extern __model_size __model_unknown_size(void);

extern long long __model_unknown_wide(void);

extern unsigned long long __model_unknown_unsigned(void);

extern double __model_unknown_double(void);

extern void *__model_unknown_pointer(void);

/* Whether a choice outside of the program falls this way. */
int __model_some_truth(void)
{
    return __model_some_int() != 0;
}

int __model_result_input(int low, int high)
{
    int result = __model_some_int();
    __model_assume(result >= low);
    __model_assume(result <= high);
    return result;
}

int __model_result_between(int low, int high)
{
    int result = __model_unknown_int();
    __model_assume(result >= low);
    __model_assume(result <= high);
    return result;
}

long long __model_result_wide(long long low, long long high)
{
    long long result = __model_unknown_wide();
    __model_assume(result >= low);
    __model_assume(result <= high);
    return result;
}

/* A result of the function that is modelled, which is not zero. Where the program only tests
   whether the result is zero, this is 1. */
int __model_result_nonzero(void)
{
    int result = __model_unknown_int();
    return result ? result : 1;
}

/* Zero, or minus one with a reason in `errno`. */
int __model_result_status(void)
{
    if (__model_some_truth())
        return 0;
    __model_fail();
    return -1;
}

/* The same, and all bytes become arbitrary with zero. */
int __model_status_with(void *target, __model_size size)
{
    if (__model_result_status() < 0)
        return -1;
    __model_write_bytes(target, size);
    return 0;
}

/* All bytes are read. */
void __model_read_bytes(const void *block, __model_size size)
{
    __model_copy(__model_temporary(size), block, size);
}

/* All bytes become arbitrary. */
void __model_write_bytes(void *block, __model_size size)
{
    __model_copy(block, __model_temporary(size), size);
}

/* A text of any length up to a limit, in memory that lives for ever. */
char *__model_lasting_text(__model_size limit)
{
    return __model_lasting_text_of(__model_some_size(), limit);
}

static char *__model_lasting_text_of(__model_size length, __model_size limit)
{
    char *text = 0;
    __model_assume(length <= limit);
    text = __model_lasting(length + 1);
    text[length] = 0;
    return text;
}

/* Whether the program may read what it has written: then its input need not end. */
int __model_is_fed;

/* A text that is not empty and may not be written, perhaps the same one as the last time. */
char *__model_fixed_text(char **last, __model_size limit)
{
    __model_size length = __model_some_size();
    if (*last && __model_unknown_int())
        return *last;
    __model_assume(length > 0);
    *last = __model_lasting_text_of(length, limit);
    __model_seal(*last);
    return *last;
}

/* The same; or a text that ends with the next call. */
char *__summary_fixed_text(char **last, __model_size limit)
{
    __model_size length = __model_some_size();
    char *text = 0;
    if (*last) {
        if (__model_some_truth())
            return *last;
        __model_end_stream(*last);
        *last = 0;
    }
    __model_assume(length > 0);
    if (__model_some_truth()) {
        text = __model_lasting_text_of(length, limit);
        __model_seal(text);
        return text;
    }
    __model_assume(length <= limit);
    *last = __model_begin_stream(length + 1);
    (*last)[length] = 0;
    return *last;
}

/* A number that is chosen at the first call and stays the same. */
int __model_same_number(int *known, int *number, int low, int high)
{
    if (!*known) {
        *known = 1;
        *number = __model_some_int();
        __model_assume(*number >= low);
        __model_assume(*number <= high);
    }
    return *number;
}
