/* A stream that is read ends: `left` says how often it can still be read, at most. Of a
   finite stream any large number says that. `stdin`, `stdout` and `stderr` are open from
   the start. */
struct __model_stream {
    unsigned long long left;
};

/* The three streams that are open from the start. */
extern struct __model_stream *__wane_stdin;

extern struct __model_stream *__wane_stdout;

extern struct __model_stream *__wane_stderr;

/* Something is read from a stream. The run ends silently where nothing is left. */
static void __model_consume(struct __model_stream *stream)
{
    if (__model_endless_input)
        return;
    __model_assume(stream->left > 0);
    stream->left--;
}

/* What a function that writes to a stream does with it. */
static void __model_use(struct __model_stream *stream)
{
    unsigned long long left = stream->left;
}

static struct __model_stream *__model_new_stream(void)
{
    struct __model_stream *stream = 0;
    if (__model_some_truth()) {
        __model_fail();
        return 0;
    }
    stream = __model_begin_stream(sizeof(struct __model_stream));
    stream->left = __model_some_rounds();
    return stream;
}

struct __model_stream *__wane_fopen(const char *path, const char *mode)
{
    __wane_strlen(path);
    __wane_strlen(mode);
    return __model_new_stream();
}

struct __model_stream *__wane_fopen64(const char *path, const char *mode)
{
    return __wane_fopen(path, mode);
}

struct __model_stream *__wane_fdopen(int descriptor, const char *mode)
{
    __wane_strlen(mode);
    return __model_new_stream();
}

struct __model_stream *__wane_tmpfile(void)
{
    return __model_new_stream();
}

struct __model_stream *__wane_popen(const char *command, const char *mode)
{
    return __wane_fopen(command, mode);
}

int __wane_fclose(struct __model_stream *stream)
{
    __model_end_stream(stream);
    return __model_result_end();
}

int __wane_pclose(struct __model_stream *stream)
{
    __model_end_stream(stream);
    return __model_some_int();
}

struct __model_stream *__wane_freopen(const char *path, const char *mode, struct __model_stream *stream)
{
    if (path)
        __wane_strlen(path);
    __wane_strlen(mode);
    __model_use(stream);
    if (__model_some_truth()) {
        __model_end_stream(stream);
        __model_fail();
        return 0;
    }
    stream->left = __model_some_rounds();
    return stream;
}

/* Zero, or `EOF`. */
int __model_result_end(void)
{
    return __model_some_truth() ? 0 : -1;
}

int __wane_fflush(struct __model_stream *stream)
{
    if (stream)
        __model_use(stream);
    return __model_result_end();
}

/* A byte, or `EOF`: at the end, or where reading fails. */
int __wane_fgetc(struct __model_stream *stream)
{
    int c = __model_some_int();
    __model_use(stream);
    __model_assume(c >= -1);
    __model_assume(c <= 255);
    if (c >= 0)
        __model_consume(stream);
    return c;
}

int __wane_getc(struct __model_stream *stream)
{
    return __wane_fgetc(stream);
}

int __wane_getc_unlocked(struct __model_stream *stream)
{
    return __wane_fgetc(stream);
}

int __wane_fgetc_unlocked(struct __model_stream *stream)
{
    return __wane_fgetc(stream);
}

int __wane__IO_getc(struct __model_stream *stream)
{
    return __wane_fgetc(stream);
}

int __wane_getchar(void)
{
    return __wane_fgetc(__wane_stdin);
}

int __wane_getchar_unlocked(void)
{
    return __wane_fgetc(__wane_stdin);
}

int __wane_ungetc(int c, struct __model_stream *stream)
{
    __model_use(stream);
    if (c == -1 || __model_some_truth())
        return -1;
    __model_assume(stream->left < 18446744073709551615ull);
    stream->left++;
    return (unsigned char)c;
}

char *__wane_fgets(char *buffer, int limit, struct __model_stream *stream)
{
    int length = __model_some_int();
    __model_use(stream);
    if (limit <= 0)
        return 0;
    if (limit == 1) {
        buffer[0] = 0;
        return buffer;
    }
    if (__model_some_truth())
        return 0;
    __model_consume(stream);
    __model_assume(length >= 1);
    __model_assume(length < limit);
    __model_write_bytes(buffer, length);
    buffer[length] = 0;
    return buffer;
}

char *__wane_gets(char *buffer)
{
    __model_size length = __model_some_size();
    if (__model_some_truth())
        return 0;
    __model_consume(__wane_stdin);
    __model_write_bytes(buffer, length);
    buffer[length] = 0;
    return buffer;
}

__model_size __wane_fread(void *block, __model_size size, __model_size count, struct __model_stream *stream)
{
    __model_size read = __model_some_size();
    __model_use(stream);
    if (size == 0 || count == 0)
        return 0;
    __model_assume(read <= count);
    if (read > 0)
        __model_consume(stream);
    __model_write_bytes(block, size * read);
    return read;
}

__model_size __wane_fwrite(const void *block, __model_size size, __model_size count, struct __model_stream *stream)
{
    __model_size written = __model_some_size();
    __model_use(stream);
    __model_read_bytes(block, size * count);
    if (size == 0)
        return 0;
    __model_assume(written <= count);
    return written;
}

int __wane_fputc(int c, struct __model_stream *stream)
{
    __model_use(stream);
    return __model_some_truth() ? (unsigned char)c : -1;
}

int __wane_putc(int c, struct __model_stream *stream)
{
    return __wane_fputc(c, stream);
}

int __wane_putc_unlocked(int c, struct __model_stream *stream)
{
    return __wane_fputc(c, stream);
}

int __wane_putchar(int c)
{
    return __model_some_truth() ? (unsigned char)c : -1;
}

int __wane_putchar_unlocked(int c)
{
    return __wane_putchar(c);
}

int __wane_fputs(const char *text, struct __model_stream *stream)
{
    __model_use(stream);
    __wane_strlen(text);
    return __model_result_written();
}

int __wane_puts(const char *text)
{
    __wane_strlen(text);
    return __model_result_written();
}

/* A number that is not negative, or `EOF`. */
int __model_result_written(void)
{
    return __model_result_between(-1, 2147483647);
}

int __wane_feof(struct __model_stream *stream)
{
    __model_use(stream);
    return __model_some_int();
}

int __wane_ferror(struct __model_stream *stream)
{
    __model_use(stream);
    return __model_some_int();
}

void __wane_clearerr(struct __model_stream *stream)
{
    __model_use(stream);
}

int __wane_fileno(struct __model_stream *stream)
{
    __model_use(stream);
    return __model_result_between(-1, 1048575);
}

void __wane_flockfile(struct __model_stream *stream)
{
    __model_use(stream);
}

void __wane_funlockfile(struct __model_stream *stream)
{
    __model_use(stream);
}

/* At another place of the file there is something to read again. */
int __wane_fseek(struct __model_stream *stream, long offset, int whence)
{
    __model_use(stream);
    if (__model_some_truth()) {
        __model_fail();
        return -1;
    }
    stream->left = __model_some_rounds();
    return 0;
}

int __wane_fseeko(struct __model_stream *stream, long offset, int whence)
{
    return __wane_fseek(stream, offset, whence);
}

void __wane_rewind(struct __model_stream *stream)
{
    __model_use(stream);
    stream->left = __model_some_rounds();
}

long __wane_ftell(struct __model_stream *stream)
{
    __model_use(stream);
    return (long)__model_result_wide(-1, 2147483647);
}

long __wane_ftello(struct __model_stream *stream)
{
    return __wane_ftell(stream);
}

void __wane_setbuf(struct __model_stream *stream, char *buffer)
{
    __model_use(stream);
    if (buffer)
        __model_unsupported("a buffer for a stream, which is written to at any time");
}

int __wane_setvbuf(struct __model_stream *stream, char *buffer, int mode, __model_size size)
{
    __model_use(stream);
    if (buffer)
        __model_unsupported("a buffer for a stream, which is written to at any time");
    return __model_result_end();
}

long __wane_getdelim(char **line, __model_size *size, int last, struct __model_stream *stream)
{
    __model_size length = __model_some_size();
    __model_use(stream);
    if (__model_some_truth())
        return -1;
    __model_consume(stream);
    __model_assume(length >= 1);
    __model_assume(length < 2147483647);
    if (!*line || *size <= length) {
        __model_release(*line);
        *line = __model_allocate(length + 1);
        if (!*line)
            return -1;
        *size = length + 1;
    }
    __model_write_bytes(*line, length);
    (*line)[length] = 0;
    return (long)length;
}

long __wane_getline(char **line, __model_size *size, struct __model_stream *stream)
{
    return __wane_getdelim(line, size, 10, stream);
}

int __wane_remove(const char *path)
{
    __wane_strlen(path);
    return __model_result_status();
}

int __wane_rename(const char *from, const char *to)
{
    __wane_strlen(from);
    __wane_strlen(to);
    return __model_result_status();
}

/* `printf` and its like: `c::lower::format` calls the functions below, a call for each
   part of the format. */
extern int __wane_printf(const char *format, ...); /* __wane_strlen __wane_strnlen __model_result_printed */

extern int __wane_fprintf(struct __model_stream *stream, const char *format, ...); /* __model_use __wane_printf */

extern int __wane_dprintf(int descriptor, const char *format, ...); /* __wane_printf */

extern int __wane_sprintf(char *buffer, const char *format, ...); /* __wane_printf __model_append __model_append_any __model_append_signed __model_append_unsigned __model_finish */

extern int __wane_snprintf(char *buffer, __model_size limit, const char *format, ...); /* __wane_sprintf */

extern void __wane_syslog(int priority, const char *format, ...); /* __wane_printf */

extern int __wane_vprintf(const char *format, __builtin_va_list arguments); /* __wane_printf */

extern int __wane_vfprintf(struct __model_stream *stream, const char *format, __builtin_va_list arguments); /* __model_use __wane_printf */

extern int __wane_vsprintf(char *buffer, const char *format, __builtin_va_list arguments); /* __wane_sprintf */

extern int __wane_vsnprintf(char *buffer, __model_size limit, const char *format, __builtin_va_list arguments); /* __wane_sprintf */

/* How many bytes were written, between two bounds, or a negative number. */
int __model_result_printed(int low, int high)
{
    if (__model_some_truth())
        return -1;
    if (low == high)
        return low;
    return __model_result_between(low, high);
}

/* Puts a text behind `end` bytes of a buffer, as far as it fits; yields the new end. */
__model_size __model_append(char *buffer, __model_size limit, __model_size end, const char *text, __model_size length)
{
    if (end < limit) {
        __model_size room = limit - end;
        __model_copy(buffer + end, text, length < room ? length : room);
    }
    return end + length;
}

/* The same with a text that is not modelled and has some length between two bounds. */
__model_size __model_append_any(char *buffer, __model_size limit, __model_size end, __model_size low, __model_size high)
{
    __model_size length = __model_unknown_size();
    __model_assume(length >= low);
    __model_assume(length <= high);
    if (end < limit) {
        __model_size room = limit - end;
        __model_write_bytes(buffer + end, length < room ? length : room);
    }
    return end + length;
}

/* The same with a number in decimal. */
__model_size __model_append_unsigned(char *buffer, __model_size limit, __model_size end, unsigned long long value)
{
    char digits[20];
    int n_digits = 0;
    do {
        digits[19 - n_digits] = (char)('0' + value % 10);
        value /= 10;
        n_digits++;
    } while (value);
    return __model_append(buffer, limit, end, digits + 20 - n_digits, n_digits);
}

__model_size __summary_append_unsigned(char *buffer, __model_size limit, __model_size end, unsigned long long value)
{
    return __model_append_any(buffer, limit, end, 1, 20);
}

__model_size __model_append_signed(char *buffer, __model_size limit, __model_size end, long long value)
{
    if (value < 0) {
        end = __model_append(buffer, limit, end, "-", 1);
        return __model_append_unsigned(buffer, limit, end, -(unsigned long long)value);
    }
    return __model_append_unsigned(buffer, limit, end, value);
}

__model_size __summary_append_signed(char *buffer, __model_size limit, __model_size end, long long value)
{
    return __model_append_any(buffer, limit, end, 1, 20);
}

/* Ends a text in a buffer. */
int __model_finish(char *buffer, __model_size limit, __model_size end)
{
    if (end < limit)
        buffer[end] = 0;
    else if (limit > 0)
        buffer[limit - 1] = 0;
    return (int)end;
}

/* `scanf` and its like: `c::lower::format` calls the functions below. */
extern int __wane_scanf(const char *format, ...); /* __wane_strlen __wane_stdin __model_use __model_consume __model_some_truth __model_scan_text __model_scan_bytes */

extern int __wane_fscanf(struct __model_stream *stream, const char *format, ...); /* __wane_scanf */

extern int __wane_sscanf(const char *text, const char *format, ...); /* __wane_scanf __wane_strlen */

/* A word of the input of at most `width` characters. */
void __model_scan_text(char *target, __model_size width)
{
    __model_size length = __model_some_size();
    __model_assume(length >= 1);
    __model_assume(length <= width);
    __model_write_bytes(target, length);
    target[length] = 0;
}

void __model_scan_bytes(char *target, __model_size width)
{
    __model_write_bytes(target, width);
}
