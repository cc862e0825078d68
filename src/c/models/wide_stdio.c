/* Streams of wide characters. `wprintf`, `wscanf` and their like: `c::lower::format` calls the functions below. */
extern int __wane_wprintf(const int *format, ...); /* __wane_strlen __wane_wcslen __wane_wcsnlen __model_limited_length_wide __model_padded __model_result_printed */

extern int __wane_fwprintf(struct __model_stream *stream, const int *format, ...); /* __model_use __wane_wprintf */

extern int __wane_swprintf(int *buffer, __model_size limit, const int *format, ...); /* __wane_wprintf __model_append_wide __model_append_any_wide __model_finish_wide */

extern int __wane_vwprintf(const int *format, __builtin_va_list arguments); /* __wane_wprintf */

extern int __wane_vfwprintf(struct __model_stream *stream, const int *format, __builtin_va_list arguments); /* __model_use __wane_wprintf */

extern int __wane_vswprintf(int *buffer, __model_size limit, const int *format, __builtin_va_list arguments); /* __wane_swprintf */

extern int __wane_wscanf(const int *format, ...); /* __wane_scanf __wane_wcslen */

extern int __wane_fwscanf(struct __model_stream *stream, const int *format, ...); /* __wane_wscanf */

extern int __wane_swscanf(const int *text, const int *format, ...); /* __wane_wscanf */

__model_size __model_limited_length_wide(const int *text, int limit)
{
    return limit < 0 ? __wane_wcslen(text) : __wane_wcsnlen(text, limit);
}

/* Puts a text behind `end` characters of a buffer, as far as it fits; yields the new end. */
__model_size __model_append_wide(int *buffer, __model_size limit, __model_size end, const int *text, __model_size length)
{
    if (end < limit) {
        __model_size room = limit - end;
        __model_copy_apart(buffer + end, text, (length < room ? length : room) * sizeof(int));
        if (buffer + end == text)
            __model_undefined("a copy between bytes that overlap");
    }
    return end + length;
}

/* The same with characters that are not modelled. First the memory is touched: up to there a
   run may be a counterexample. */
static void __model_put_any_wide(int *buffer, __model_size limit, __model_size end, __model_size length)
{
    if (end < limit) {
        __model_size room = limit - end;
        __model_fill(buffer + end, 0, (length < room ? length : room) * sizeof(int));
        __model_fill(buffer + end, __model_unknown_int(), (length < room ? length : room) * sizeof(int));
    }
}

__model_size __model_append_any_wide(int *buffer, __model_size limit, __model_size end, __model_size low, __model_size high)
{
    __model_size length = low;
    __model_put_any_wide(buffer, limit, end, low);
    if (low < high) {
        length = __model_unknown_size();
        __model_assume(length >= low);
        __model_assume(length <= high);
        __model_put_any_wide(buffer, limit, end, length);
    }
    return end + length;
}

/* Ends a text in a buffer. What does not fit is a failure. */
int __model_finish_wide(int *buffer, __model_size limit, __model_size end)
{
    if (end < limit) {
        buffer[end] = 0;
        return (int)end;
    }
    if (limit > 0)
        buffer[limit - 1] = 0;
    return -1;
}

/* A character, or -1 at the end of the input. */
int __wane_fgetwc(struct __model_stream *stream)
{
    int c = __model_some_int();
    __model_use(stream);
    if (__optional_at_end(stream))
        return -1;
    __model_assume(c >= -1);
    __model_assume(c <= 1114111);
    if (c >= 0)
        __model_consume(stream);
    else
        __optional_note_end(stream);
    return c;
}

int __wane_getwc(struct __model_stream *stream)
{
    return __wane_fgetwc(stream);
}

int __wane_getwchar(void)
{
    return __wane_fgetwc(__wane_stdin);
}

/* Runs read characters of one byte. */
int *__wane_fgetws(int *buffer, int limit, struct __model_stream *stream)
{
    int length = 0;
    int c = 0;
    __model_use(stream);
    if (limit <= 0)
        return 0;
    while (length < limit - 1 && c != 10) {
        c = __model_next_byte(stream);
        if (c < 0)
            break;
        buffer[length] = c;
        length++;
    }
    if (length == 0 && limit > 1)
        return 0;
    if (length > 0)
        __model_consume(stream);
    buffer[length] = 0;
    return buffer;
}

int *__summary_fgetws(int *buffer, int limit, struct __model_stream *stream)
{
    int length = __model_some_int();
    __optional_take_first(stream);
    __model_use(stream);
    if (limit <= 0)
        return 0;
    if (limit == 1) {
        buffer[0] = 0;
        return buffer;
    }
    if (__optional_at_end(stream))
        return 0;
    __model_assume(length >= 1);
    __model_assume(length < limit);
    if (__model_some_truth()) {
        __optional_note_end(stream);
        /* An error in the middle of a line leaves what was read. */
        if (__model_some_truth())
            __model_write_bytes((char *)buffer, length * sizeof(int));
        return 0;
    }
    __model_consume(stream);
    __optional_may_end(stream);
    __model_write_bytes((char *)buffer, length * sizeof(int));
    buffer[length] = 0;
    return buffer;
}

int __wane_fputwc(int c, struct __model_stream *stream)
{
    __model_use(stream);
    return __model_some_truth() ? c : -1;
}

int __wane_putwc(int c, struct __model_stream *stream)
{
    return __wane_fputwc(c, stream);
}

int __wane_putwchar(int c)
{
    __optional_use_output();
    return __model_some_truth() ? c : -1;
}

int __wane_fputws(const int *text, struct __model_stream *stream)
{
    __model_use(stream);
    __wane_wcslen(text);
    return __model_result_written();
}
